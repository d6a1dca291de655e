import { useLocation } from "wouter"
import { useOrganizations } from "../api/queries.ts"
import { pages, subPages } from "../shell/PageList.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import type { Command } from "./Commands.ts"
import { mayBePlayer } from "./Commands.ts"
import { useFindable } from "./Findable.ts"

/** `cohorts/7` and `cohorts?q=7` are addresses of the page `cohorts`. */
const pageOf = (address: string): string => address.split(/[/?]/)[0] ?? ""

/** Everything that the palette can lead to from here; what is typed may be the id of a player. */
export const useCommands = (typed: string, onShortcuts: () => void): ReadonlyArray<Command> => {
  const { applicationId, environment, environments } = useProject()
  const [path, navigate] = useLocation()
  const organizations = useOrganizations()
  const findable = useFindable(useWhere())
  const home = `/p/${applicationId}/${environment.alias}`
  const page = path.split("/")[4] ?? ""
  const hasPage = (name: string) => pages.some(({ items }) => items.some(([each]) => each === name))
  const id = typed.trim()
  return [
    ...pages
      .flatMap(({ items }) => items)
      .map(([to, icon, name, key]) => ({
        key: `page ${to}`,
        group: "Pages",
        name,
        icon,
        ...(key === undefined ? {} : { hint: `g ${key}` }),
        run: () => navigate(`${home}/${to}`)
      })),
    ...subPages.map(([to, icon, name]) => ({
      key: `page ${to}`,
      group: "Settings",
      name,
      icon,
      run: () => navigate(`${home}/${to}`)
    })),
    ...findable
      .filter(({ address }) => hasPage(pageOf(address)))
      .map((found) => ({ ...found, run: () => navigate(`${home}/${found.address}`) })),
    ...environments
      .filter(({ id: each }) => each !== environment.id)
      .map(({ alias, name }) => ({
        key: `environment ${alias}`,
        group: "Environments",
        name,
        icon: "pulse" as const,
        run: () => navigate(`/p/${applicationId}/${alias}/${page}`)
      })),
    ...(organizations.data ?? []).flatMap((organization) =>
      organization.applications
        .filter((application) => application.id !== applicationId)
        .map((application) => ({
          key: `project ${application.id}`,
          group: "Projects",
          name: application.name,
          hint: organization.name,
          icon: "chart" as const,
          run: () => navigate(`/p/${application.id}/production/${page}`)
        }))
    ),
    { key: "shortcuts", group: "Help", name: "Shortcuts", hint: "?", icon: "info", run: onShortcuts },
    {
      key: "guide",
      group: "Help",
      name: "Guide",
      icon: "book",
      run: () => void window.open("/docs/guide/", "_blank", "noreferrer")
    },
    {
      key: "api",
      group: "Help",
      name: "HTTP API",
      icon: "book",
      run: () => void window.open("/docs", "_blank", "noreferrer")
    },
    ...(hasPage("players") && mayBePlayer(id)
      ? [
          {
            key: "player",
            group: "Players",
            name: id,
            hint: "player with this id",
            isGuess: true,
            icon: "person" as const,
            run: () => navigate(`${home}/players/${encodeURIComponent(id)}`)
          }
        ]
      : [])
  ]
}
