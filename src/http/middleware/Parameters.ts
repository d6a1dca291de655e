import type { HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import { Report } from "../../../schema/Report.ts"
import type { Route } from "./Routes.ts"
import { pathOf, routeOf } from "./Routes.ts"

type Request = HttpServerRequest.HttpServerRequest

const unescape = Option.liftThrowable(decodeURIComponent)

const segmentsOf = (route: Route, url: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(route.pattern.exec(pathOf(url))?.groups ?? {}).map(([name, value]) => [
      name,
      Option.getOrElse(unescape(value), () => value)
    ])
  )

const queryOf = (url: string): URLSearchParams => {
  const start = url.indexOf("?")
  return new URLSearchParams(start === -1 ? "" : url.slice(start + 1).replace(/#.*$/, ""))
}

/** Every problem of the path, the query and the headers of a request in one sentence; undefined where there is none. */
export const parameterProblems = (request: Request): string | undefined => {
  const route = routeOf(request)
  if (route === undefined) return undefined
  const report = new Report()
  route.parameters.path(segmentsOf(route, request.url), report)
  route.parameters.headers({ ...request.headers }, report)
  route.parameters.query(Object.fromEntries(queryOf(request.url)), report)
  return report.message
}

/**
 * The parameters of a path or query that hold U+0000, which no store keeps: PostgreSQL fails over it. Most addresses have no such escape, so
 * that only others are read.
 */
export const spoiledParameters = ({ url }: Request, route: Route): string | undefined => {
  if (!url.includes("%00")) return undefined
  const report = new Report()
  const look = (name: string, value: string): void => {
    if (!`${name}${value}`.includes("\u0000")) return
    report.enter(name.replaceAll("\u0000", "\\u0000"))
    report.expected(() => "text without the character U+0000")
    report.leave()
  }
  for (const [name, value] of Object.entries(segmentsOf(route, url))) look(name, value)
  for (const [name, value] of queryOf(url)) look(name, value)
  return report.message
}

/** The query parameters that the endpoint of a request does not know, each with the name that was meant. */
export const unknownParameters = (request: Request): string | undefined => {
  if (!request.url.includes("?")) return undefined
  const names = routeOf(request)?.parameters.names ?? null
  if (names === null) return undefined
  const report = new Report()
  for (const name of new Set(queryOf(request.url).keys())) {
    if (!names.has(name)) report.unknown(name, names, undefined, "parameter")
  }
  return report.message
}
