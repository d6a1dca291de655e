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
      ["experiments", "flask", "Experiments", "e"]
    ]
  },
  { group: "Live", items: [["markers", "pulse", "Live markers", "m"]] },
  {
    group: "Studio",
    items: [
      ["plan", "tag", "Markers & arguments", "a"],
      ["setup", "checklist", "Setup", "u"]
    ]
  }
]

export const nameOf = (page: string): string =>
  pages.flatMap(({ items }) => items).find(([path]) => path === page)?.[2] ?? "Gamekeeper"
