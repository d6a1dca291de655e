import { HttpApi } from "@effect/platform"
import type { SchemaAST } from "effect"
import { Context, Option } from "effect"
import { Api } from "../../../schema/Api.ts"
import { RawBody } from "../../../schema/RawBody.ts"

export interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly hasPayload: boolean
  /** A request without a body is one of null. */
  readonly mayBeEmpty: boolean
  readonly rawBody: boolean
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.+?^$()|[\]\\]/g, "\\$&").replace(/:[A-Za-z]+/g, "[^/]+")}/?$`)

const takesNull = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Union" ? ast.types.some(takesNull) : ast._tag === "Literal" && ast.literal === null

const declared = (): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, mergedAnnotations }) =>
      routes.push({
        method: endpoint.method,
        pattern: patternOf(endpoint.path),
        hasPayload: Option.isSome(endpoint.payloadSchema) && endpoint.method !== "GET",
        mayBeEmpty: Option.exists(endpoint.payloadSchema, ({ ast }) => takesNull(ast)),
        rawBody: Context.get(mergedAnnotations, RawBody)
      })
  })
  return routes
}

const undeclared: ReadonlyArray<Route> = ["/openapi.json", "/docs"].map((path) => ({
  method: "GET",
  pattern: patternOf(path),
  hasPayload: false,
  mayBeEmpty: false,
  rawBody: false
}))

const routes = [...declared(), ...undeclared]

const unescape = Option.liftThrowable(decodeURI)

/** The path as the router reads it: without an origin and what follows the path, unescaped where that changes no separator. */
const pathOf = (url: string): string => {
  const [path = ""] = url.replace(/^https?:\/\/.*?\//, "/").split(/[?;#]/, 1)
  return path.includes("%") ? Option.getOrElse(unescape(path), () => path) : path
}

/** Routes that answer the path, whatever their method. */
export const routesOf = (url: string): ReadonlyArray<Route> => {
  const path = pathOf(url)
  return routes.filter(({ pattern }) => pattern.test(path))
}

/** The route that answers the request. */
export const routeOf = ({ method, url }: { readonly method: string; readonly url: string }): Route | undefined => {
  const path = pathOf(url)
  return routes.find((route) => route.method === method && route.pattern.test(path))
}

/** Whether games call it: they read more of a refusal, and run in web pages of any site. */
export const isForGames = (url: string): boolean => pathOf(url).startsWith("/sdk/")
