import type { HttpApiGroup, OpenApi } from "@effect/platform"
import { HttpApi } from "@effect/platform"
import { accepted, sessionCookieName } from "./Auth.ts"

type Api<Groups extends HttpApiGroup.HttpApiGroup.Any, E, R> = HttpApi.HttpApi<string, Groups, E, R>
type Responses = OpenApi.OpenAPISpecResponses

const securitySchemes: Record<string, OpenApi.OpenAPISecurityScheme> = {
  session: { type: "apiKey", in: "cookie", name: sessionCookieName, description: "Set by sign-in" },
  personal: { type: "http", scheme: "bearer", description: "Personal access token, gk_pat_…" },
  secret: { type: "http", scheme: "bearer", description: "Secret server key, gk_sk_…; never ship it in a game" },
  public: { type: "apiKey", in: "header", name: "authorization", description: "Public SDK key, sdk_…" }
}

const reference = (schema: object): unknown => ("$ref" in schema ? schema.$ref : undefined)

// The platform lists its own decode error beside the declared ones; here the envelope replaces it.
const declaredOnly = (responses: Responses): Responses =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const schema = response.content?.["application/json"]?.schema
      if (schema === undefined || !("anyOf" in schema)) return [status, response]
      const anyOf = schema.anyOf.filter((member) => reference(member) !== "#/components/schemas/HttpApiDecodeError")
      return [status, { ...response, content: { "application/json": { schema: { anyOf } } } }]
    })
  )

const securityByOperation = <Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(api: Api<Groups, E, R>) => {
  const security = new Map<string, Array<OpenApi.OpenAPISecurityRequirement>>()
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group, middleware }) => {
      const kinds = [...middleware].flatMap(({ key }) => accepted.get(key) ?? [])
      if (kinds.length === 0) return
      security.set(
        `${group.identifier}.${endpoint.name}`,
        kinds.map((kind) => ({ [kind]: [] }))
      )
    }
  })
  return security
}

const describeItem = (
  item: OpenApi.OpenAPISpecPathItem,
  security: ReadonlyMap<string, Array<OpenApi.OpenAPISecurityRequirement>>
): OpenApi.OpenAPISpecPathItem =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      {
        ...operation,
        responses: declaredOnly(operation.responses),
        security: security.get(operation.operationId) ?? operation.security
      }
    ])
  )

/** What the generated document lacks: credentials of each operation, and only errors that the server really answers. */
export const describe = <Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: Api<Groups, E, R>,
  paths: OpenApi.OpenAPISpecPaths,
  schemas: OpenApi.OpenAPIComponents["schemas"]
) => {
  const security = securityByOperation(api)
  const { HttpApiDecodeError: _, Issue: __, PropertyKey: ___, ...named } = schemas
  return {
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, describeItem(item, security)])),
    components: { schemas: named, securitySchemes }
  }
}
