import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { Report } from "../../../schema/Report.ts"
import { MalformedJson, ValidationFailed } from "../../../schema/RequestErrors.ts"
import type { Route } from "./Routes.ts"
import { answeringRoute, parametersIn, pathOf } from "./Routes.ts"

type Request = HttpServerRequest.HttpServerRequest

const queryOf = (url: string): URLSearchParams => {
  const start = url.indexOf("?")
  return new URLSearchParams(start === -1 ? "" : url.slice(start + 1).replace(/#.*$/, ""))
}

/** What came for each parameter of a query: a list where it may come several times. */
const valuesOf = ({ parameters }: Route, query: URLSearchParams): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name)
      return [name, parameters.singles.has(name) ? values.at(-1) : values]
    })
  )

/** Parameters that came several times although one of the values would have to be left out. */
const reportRepeated = ({ parameters }: Route, query: URLSearchParams, report: Report): void => {
  for (const name of parameters.singles) {
    const { length } = query.getAll(name)
    if (length < 2) continue
    report.enter(name)
    report.say(() => `expected once, found ${length} times`)
    report.leave()
  }
}

/** Every problem of the path, the query and the headers of a request in one sentence; undefined where there is none. */
export const parameterProblems = (request: Request): string | undefined => {
  const route = answeringRoute(request)
  if (route === undefined) return undefined
  const report = new Report()
  route.parameters.path(parametersIn(route, pathOf(request.url)), report)
  route.parameters.headers({ ...request.headers }, report)
  const query = queryOf(request.url)
  route.parameters.query(valuesOf(route, query), report)
  reportRepeated(route, query, report)
  return report.message
}

/** The refusal of a body, with every problem of the parameters beside it. */
export const besideParameters = <E>(refused: E, request: Request) => {
  if (!(refused instanceof ValidationFailed) && !(refused instanceof MalformedJson)) return refused
  const problems = parameterProblems(request)
  if (problems === undefined) return refused
  const message = `${refused.message}; ${problems}`
  return refused instanceof ValidationFailed ? new ValidationFailed({ message }) : new MalformedJson({ message })
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
  for (const [name, value] of Object.entries(parametersIn(route, pathOf(url)))) look(name, value)
  for (const [name, value] of queryOf(url)) look(name, value)
  return report.message
}

/**
 * Refuses query parameters that the endpoint of a request does not know, each with the name that was meant, and names whatever else is
 * wrong with its parameters and its body.
 */
export const demandKnownParameters = (request: Request): Effect.Effect<void, ValidationFailed> => {
  if (!request.url.includes("?")) return Effect.void
  const route = answeringRoute(request)
  const names = route?.parameters.names ?? null
  if (names === null || [...queryOf(request.url).keys()].every((name) => names.has(name))) return Effect.void
  const refused = new ValidationFailed({ message: parameterProblems(request) ?? "query: expected other parameters" })
  if (route?.hasPayload !== true || route.rawBody) return Effect.fail(refused)
  return Effect.matchEffect(request.json, {
    onFailure: (error: unknown) => Effect.fail(asValidation(error) ?? refused),
    onSuccess: () => Effect.fail(refused)
  })
}

/** What is told of a body that was refused together with its parameters. */
const asValidation = (error: unknown): ValidationFailed | undefined =>
  error instanceof ValidationFailed || error instanceof MalformedJson
    ? new ValidationFailed({ message: error.message })
    : undefined
