import type { IconName } from "../ui/IconPaths.ts"

/** The pages of a project as the rail lists them: what follows the environment in the address, the icon and the name. */
export const pages: ReadonlyArray<{
  readonly group: string
  /** `g` and the key lead to the page. */
  readonly items: ReadonlyArray<readonly [path: string, icon: IconName, name: string, key?: string]>
}> = [
  { group: "", items: [["home", "home", "Home", "h"]] },
  {
    group: "Explore",
    items: [
      ["insights", "chart", "Insights", "i"],
      ["funnels", "funnel", "Funnels", "f"],
      ["retention", "retention", "Retention", "r"],
      ["heatmaps", "map", "Heatmaps", "t"],
      ["boards", "board", "Boards", "b"],
      ["saved", "bookmark", "Saved questions", "q"]
    ]
  },
  {
    group: "Players",
    items: [
      ["players", "person", "Players", "p"],
      ["cohorts", "cohort", "Cohorts", "o"]
    ]
  },
  {
    group: "Game",
    items: [
      ["configurations", "sliders", "Configurations", "c"],
      ["experiments", "flask", "Experiments", "e"],
      ["deeplinks", "link", "Deeplinks", "d"]
    ]
  },
  {
    group: "Live",
    items: [
      ["markers", "pulse", "Live markers", "m"],
      ["alerts", "warning", "Alerts", "l"]
    ]
  },
  {
    group: "Studio",
    items: [
      ["plan", "tag", "Markers & arguments", "a"],
      ["setup", "checklist", "Setup", "u"],
      ["settings", "gear", "Settings", "s"]
    ]
  }
]

/** Pages within a page, which the palette leads to as well. */
export const subPages: ReadonlyArray<readonly [path: string, icon: IconName, name: string]> = [
  ["settings/project", "gear", "Project"],
  ["settings/environments", "pulse", "Environments"],
  ["settings/keys", "key", "Keys"],
  ["settings/members", "cohort", "Members"],
  ["settings/roles", "lock", "Roles"],
  ["settings/webhooks", "share", "Webhooks"],
  ["settings/changes", "bookmark", "Log of changes"],
  ["settings/organization", "home", "Organization"],
  ["settings/account", "person", "My account"]
]

/** Pages within a page for the owners of the server alone. */
export const ownerPages: typeof subPages = [["settings/server", "pulse", "Server"]]

const all: ReadonlyArray<readonly [path: string, icon: IconName, name: string, key?: string]> = [
  ...pages.flatMap(({ items }) => items),
  ...subPages,
  ...ownerPages
]

/** Name of the page with this address within a project: `settings/keys`, `players/p-17`. */
export const nameOf = (address: string): string => {
  const [page = "", within = ""] = address.split("/")
  const found = all.find(([path]) => path === `${page}/${within}`) ?? all.find(([path]) => path === page)
  return found?.[2] ?? "Gamekeeper"
}
