import { Array, Option } from "effect"
import { Report } from "../../../schema/Report.ts"
import type { TrafficKind } from "../../../schema/Traffic.ts"
import { NearestPaths } from "../../domain/NearestPath.ts"
import { type Route, routes } from "./DeclaredRoutes.ts"

export type { Route } from "./DeclaredRoutes.ts"

const segmentsOf = (path: string): number => path.replace(/\/$/, "").split("/").length

/** Routes by method and number of segments, of which few remain to be compared with a path. */
const byShape: Readonly<Record<string, ReadonlyArray<Route>>> = Array.groupBy(
  routes,
  ({ method, path }) => `${method} ${segmentsOf(path)}`
)

const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path)

const unescape = Option.liftThrowable(decodeURI)

/** The path as the router reads it: without an origin and what follows the path, unescaped where that changes no separator. */
export const pathOf = (url: string): string => {
  const [path = ""] = url.replace(/^https?:\/\/.*?\//, "/").split(/[?;#]/, 1)
  return path.includes("%") ? Option.getOrElse(unescape(path), () => path) : path
}

/** The path as it came, for what has to be quick and leaves unusual requests to others. */
export const beforeQuery = (url: string): string => {
  const end = url.indexOf("?")
  return end === -1 ? url : url.slice(0, end)
}

const unescapeSegment = Option.liftThrowable(decodeURIComponent)

/** What stands in a path at the parameters of its route. */
export const parametersIn = (route: Route, path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(route.pattern.exec(path)?.groups ?? {}).map(([name, value]) => [
      name,
      Option.getOrElse(unescapeSegment(value), () => value)
    ])
  )

const isParameter = (segment: string): boolean => segment.startsWith(":")

/** Whether one path says a word where the other takes any, and is the same elsewhere: `cohorts/execute` beside `cohorts/:cohortId`. */
const isWordOf = (said: string, general: string): boolean => {
  const words = said.split("/")
  const segments = general.split("/")
  const isWord = (segment: string, at: number): boolean => isParameter(segment) && !isParameter(words[at] ?? ":")
  return (
    words.length === segments.length &&
    segments.some(isWord) &&
    segments.every((segment, at) => segment === words[at] || isParameter(segment))
  )
}

const saidBeside = new Map<Route, ReadonlyArray<Route>>()

/** The others that say a word where a route takes an id. Found when the route is first asked for: all of them together would delay the start. */
const wordsBeside = (route: Route): ReadonlyArray<Route> => {
  const known = saidBeside.get(route)
  if (known !== undefined) return known
  const found = route.path.includes(":") ? routes.filter(({ path }) => isWordOf(path, route.path)) : []
  saidBeside.set(route, found)
  return found
}

const decodes = (route: Route, path: string): boolean => {
  const report = new Report()
  route.parameters.path(parametersIn(route, path), report)
  return report.message === undefined
}

/** Whether a path is meant for a route: a word that other routes say is no id of it, unless it could be one. */
const isMeantFor = (route: Route, path: string): boolean => {
  if (!route.pattern.test(path)) return false
  return !wordsBeside(route).some(({ pattern }) => pattern.test(path)) || decodes(route, path)
}

/** Routes that answer the path, whatever their method. */
export const routesOf = (url: string): ReadonlyArray<Route> => {
  const path = pathOf(url)
  return routes.filter((route) => isMeantFor(route, path))
}

/** The methods that the path takes, each once. Whatever takes GET also takes HEAD (RFC 9110, 9.3.2). */
export const methodsOf = (url: string): ReadonlyArray<string> => [
  ...new Set(routesOf(url).flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])))
]

const nearestPaths = new NearestPaths(routes)

/** Method and path of the route that was most likely meant by a path that no route answers. */
export const nearestRoute = (method: string, url: string): string | undefined => {
  const nearest = nearestPaths.find(method === "HEAD" ? "GET" : method, pathOf(url))
  return nearest === undefined ? undefined : `${nearest.method} ${nearest.path.replace(/:([A-Za-z]+)/g, "{$1}")}`
}

interface Asked {
  readonly method: string
  readonly url: string
}

const inShape = (method: string, path: string): ReadonlyArray<Route> => byShape[`${method} ${segmentsOf(path)}`] ?? []

/** The route that answers the request. */
export const routeOf = ({ method, url }: Asked): Route | undefined => {
  const path = pathOf(url)
  return inShape(method, path).find((route) => isMeantFor(route, path))
}

/** The route whose endpoint is asked: that of GET answers HEAD too. */
export const answeringRoute = ({ method, url }: Asked): Route | undefined =>
  routeOf({ method: method === "HEAD" ? "GET" : method, url })

/** Whether a path ends with a slash that its method does not take. */
export const hasStraySlash = ({ method, url }: Asked): boolean => {
  const path = pathOf(url)
  const bare = withoutSlash(path)
  return bare !== path && inShape(method, path).some(({ pattern }) => pattern.test(bare) && !pattern.test(path))
}

/** Whether the router would take a request for one of a route that it is not meant for. */
export const isMistaken = ({ method, url }: Asked): boolean => {
  const asked = method === "HEAD" ? "GET" : method
  const bare = withoutSlash(pathOf(url))
  return answeringRoute({ method, url }) === undefined && inShape(asked, bare).some(({ pattern }) => pattern.test(bare))
}

/** Whether games call it: they read more of a refusal, and run in web pages of any site. */
export const isForGames = (url: string): boolean => pathOf(url).startsWith("/sdk/")

/** Paths without parameters, which most requests ask for, with the kinds of their methods. */
const plainPaths: ReadonlyMap<string, Readonly<Record<string, TrafficKind>>> = (() => {
  const kinds = new Map<string, Record<string, TrafficKind>>()
  for (const { path, method, traffic } of routes) {
    if (!path.includes(":")) kinds.set(path, { ...kinds.get(path), [method]: traffic })
  }
  return kinds
})()

/** The kind of a request, whether or not any route answers it. */
export const trafficOf = (method: string, url: string): TrafficKind => {
  const plain = plainPaths.get(beforeQuery(url))
  const known = plain?.[method]
  if (known !== undefined) return known
  const path = withoutSlash(pathOf(url))
  const asked = method === "HEAD" ? "GET" : method
  const kind = plainPaths.get(path)?.[asked]
  if (kind !== undefined) return kind
  if (path.startsWith("/sdk/")) return answeringRoute({ method, url: path })?.traffic ?? "poll"
  if (path.startsWith("/d/")) return "link"
  return path.endsWith("/markers/import") ? "ingest" : "people"
}
