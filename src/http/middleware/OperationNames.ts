import { Array } from "effect"
import { pathOf, type Route, routes } from "./Routes.ts"

const segments = (path: string): number => path.replace(/\/$/, "").split("/").length

/** Routes by method and number of segments, of which few remain to be compared. */
const byShape: Readonly<Record<string, ReadonlyArray<Route>>> = Array.groupBy(
  routes,
  ({ method, path }) => `${method} ${segments(path)}`
)

const plain: ReadonlyMap<string, string> = new Map(
  routes
    .filter(({ path }) => !path.includes(":"))
    .map(({ method, path, operation }) => [`${method} ${path}`, operation])
)

/** The route that would answer; one for GET where a caller asks for its headers alone. */
const routeByShape = (method: string, path: string): Route | undefined =>
  byShape[`${method === "HEAD" ? "GET" : method} ${segments(path)}`]?.find(({ pattern }) => pattern.test(path))

/**
 * The operation of the API that a request asks for; `preflight` for what browsers ask before it, `page` for what else is read, such as the
 * dashboard, and `unknown`. Callers cannot make new names, so that there are few.
 */
export const operationOf = (method: string, url: string): string => {
  const known = plain.get(`${method} ${url}`)
  if (known !== undefined) return known
  if (method === "OPTIONS") return "preflight"
  const operation = routeByShape(method, pathOf(url))?.operation
  return operation ?? (method === "GET" || method === "HEAD" ? "page" : "unknown")
}
