import {
  applicationQuery,
  environmentsQuery,
  markerTypesQuery,
  meQuery,
  organizationsQuery,
  queryClient
} from "../api/queries.ts"
import { loadPage } from "./PageChunks.ts"

/**
 * Begins with everything that the page of this address needs, side by side and before anything is drawn: its script, who is signed in,
 * the project, and the page's first question. Whatever fails is asked again, and reported, by who draws it.
 */
export const arrive = async ({ pathname, search }: Location): Promise<void> => {
  const [, id, alias, path = ""] = /^\/p\/(\d+)\/([^/]+)\/([^/]+)/.exec(pathname) ?? []
  void queryClient.prefetchQuery(meQuery)
  void queryClient.prefetchQuery(organizationsQuery)
  if (id === undefined) return
  const applicationId = Number(id)
  const [chunk, application, environments] = await Promise.all([
    loadPage(path),
    queryClient.fetchQuery(applicationQuery(applicationId)),
    queryClient.fetchQuery(environmentsQuery(applicationId))
  ])
  const environment = environments.find((each) => each.alias === alias)
  if (environment === undefined) return
  const where = { applicationId, environmentId: environment.id }
  void queryClient.prefetchQuery(markerTypesQuery(where))
  chunk?.begin?.({ where, timezone: application.timezone, parameters: new URLSearchParams(search) })
}
