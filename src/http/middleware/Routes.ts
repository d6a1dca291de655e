import { HttpApi } from "@effect/platform"
import { Context, Option } from "effect"
import { Api } from "../../../schema/Api.ts"
import { RawBody } from "../../../schema/RawBody.ts"

export interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly hasPayload: boolean
  readonly rawBody: boolean
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.+?^$()|[\]\\]/g, "\\$&").replace(/:[A-Za-z]+/g, "[^/]+")}/?$`)

const declared = (): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, mergedAnnotations }) =>
      routes.push({
        method: endpoint.method,
        pattern: patternOf(endpoint.path),
        hasPayload: Option.isSome(endpoint.payloadSchema) && endpoint.method !== "GET",
        rawBody: Context.get(mergedAnnotations, RawBody)
      })
  })
  return routes
}

const undeclared: ReadonlyArray<Route> = ["/openapi.json", "/docs"].map((path) => ({
  method: "GET",
  pattern: patternOf(path),
  hasPayload: false,
  rawBody: false
}))

const routes = [...declared(), ...undeclared]

/** Routes that answer the path, whatever their method. */
export const routesOf = (url: string): ReadonlyArray<Route> => {
  const query = url.indexOf("?")
  const path = query === -1 ? url : url.slice(0, query)
  return routes.filter((route) => route.pattern.test(path))
}
