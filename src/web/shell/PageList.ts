import type { IconName } from "../ui/Icon.tsx"

/** The pages of a project as the rail lists them: what follows the environment in the address, the icon and the name. */
export const pages: ReadonlyArray<{
  readonly group: string
  readonly items: ReadonlyArray<readonly [path: string, icon: IconName, name: string]>
}> = [
  {
    group: "Explore",
    items: [
      ["insights", "chart", "Insights"],
      ["funnels", "funnel", "Funnels"],
      ["retention", "retention", "Retention"]
    ]
  },
  { group: "Live", items: [["markers", "pulse", "Live markers"]] },
  { group: "Studio", items: [["setup", "checklist", "Setup"]] }
]

export const nameOf = (page: string): string =>
  pages.flatMap(({ items }) => items).find(([path]) => path === page)?.[2] ?? "Gamekeeper"
