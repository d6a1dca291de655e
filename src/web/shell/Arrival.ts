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

/** Milliseconds for which the surroundings of a page let its question go first: as long as a script takes that was fetched already. */
const patience = 20

/** Loads what surrounds the page of a project; the alias of an environment tells its id only then. */
const loadSurroundings = (applicationId: number) => {
  void queryClient.prefetchQuery(meQuery)
  void queryClient.prefetchQuery(organizationsQuery)
  return Promise.all([
    queryClient.fetchQuery(applicationQuery(applicationId)),
    queryClient.fetchQuery(environmentsQuery(applicationId)),
    queryClient.fetchQuery(permissionsQuery(applicationId))
  ])
}

/**
 * Begins with everything that the page of this address needs, side by side and before anything is drawn: its script, its first question,
 * who is signed in, and the project. In the place of the last visit the question waits for nothing and goes first, because it takes longest;
 * should that place be another one meanwhile, its answer is not used. Who may not ask there waits until that is known. Whatever fails is
 * asked again, and reported, by who draws it.
 */
export const arrive = async ({ pathname, search }: Location): Promise<void> => {
  const [, id, alias, path = ""] = /^\/p\/(\d+)\/([^/]+)\/([^/]+)/.exec(pathname) ?? []
  if (id === undefined) {
    void queryClient.prefetchQuery(meQuery)
    void queryClient.prefetchQuery(organizationsQuery)
    return
  }
  const applicationId = Number(id)
  const chunk = loadPage(path)
  const arriveIn = async (environmentId: number, timezone: string) => {
    const where = { applicationId, environmentId }
    const begin = (await chunk)?.begin
    if (begin === undefined) void queryClient.prefetchQuery(markerTypesQuery(where))
    else begin({ where, timezone, parameters: new URLSearchParams(search) })
  }
  const last = lastPlace()
  if (last !== null && last.applicationId === applicationId && last.environment === alias && last.mayAsk) {
    const arrived = arriveIn(last.environmentId, last.timezone)
    await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, patience))])
    await Promise.all([arrived, loadSurroundings(applicationId)])
    return
  }
  const [application, environments] = await loadSurroundings(applicationId)
  const environment = environments.find((each) => each.alias === alias)
  if (environment !== undefined) await arriveIn(environment.id, application.timezone)
}
