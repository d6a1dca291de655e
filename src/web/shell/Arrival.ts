import {
  applicationQuery,
  environmentsQuery,
  markerTypesQuery,
  meQuery,
  organizationsQuery,
  permissionsQuery,
  queryClient
} from "../api/queries.ts"
import { lastPlace } from "./LastPlace.ts"
import { loadPage } from "./PageChunks.ts"

/**
 * Begins with everything that the page of this address needs, side by side and before anything is drawn: its script, who is signed in,
 * the project, and the page's first question. In the place of the last visit the question waits for nothing; should that place be another
 * one meanwhile, its answer is not used. Who may not ask there waits until
 * that is known. Whatever fails is asked again, and reported, by who draws it.
 */
export const arrive = async ({ pathname, search }: Location): Promise<void> => {
  const [, id, alias, path = ""] = /^\/p\/(\d+)\/([^/]+)\/([^/]+)/.exec(pathname) ?? []
  void queryClient.prefetchQuery(meQuery)
  void queryClient.prefetchQuery(organizationsQuery)
  if (id === undefined) return
  const applicationId = Number(id)
  const known = Promise.all([
    queryClient.fetchQuery(applicationQuery(applicationId)),
    queryClient.fetchQuery(environmentsQuery(applicationId)),
    queryClient.fetchQuery(permissionsQuery(applicationId))
  ])
  const chunk = loadPage(path)
  const arriveIn = async (environmentId: number, timezone: string) => {
    const where = { applicationId, environmentId }
    const begin = (await chunk)?.begin
    if (begin === undefined) void queryClient.prefetchQuery(markerTypesQuery(where))
    else begin({ where, timezone, parameters: new URLSearchParams(search) })
  }
  const last = lastPlace()
  if (last !== null && last.applicationId === applicationId && last.environment === alias && last.mayAsk) {
    await Promise.all([arriveIn(last.environmentId, last.timezone), known])
    return
  }
  const [application, environments] = await known
  const environment = environments.find((each) => each.alias === alias)
  if (environment !== undefined) await arriveIn(environment.id, application.timezone)
}
