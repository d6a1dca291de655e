import type { HttpApiGroup, OpenApi } from "@effect/platform"
import { HttpApi } from "@effect/platform"
import { accepted, sessionCookieName } from "./access/Auth.ts"
import type { JsonTree } from "./JsonTree.ts"
import { describeResponses, sdkFailure } from "./OpenApiResponses.ts"
import { openBody, openRequests, tidy } from "./OpenApiSchemas.ts"

type Api<Groups extends HttpApiGroup.HttpApiGroup.Any, E, R> = HttpApi.HttpApi<string, Groups, E, R>
type Security = ReadonlyMap<string, Array<OpenApi.OpenAPISecurityRequirement>>

const securitySchemes: Record<string, OpenApi.OpenAPISecurityScheme> = {
  session: { type: "apiKey", in: "cookie", name: sessionCookieName, description: "Set by sign-in" },
  personal: { type: "http", scheme: "bearer", description: "Personal access token, gk_pat_…" },
  secret: { type: "http", scheme: "bearer", description: "Secret server key, gk_sk_…; never ship it in a game" },
  public: { type: "apiKey", in: "header", name: "authorization", description: "Public SDK key, sdk_…" }
}

// `onEndpoint` would gather every failure of every endpoint once more; the predicate sees all that is needed.
const securityByOperation = <Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(api: Api<Groups, E, R>): Security => {
  const security = new Map<string, Array<OpenApi.OpenAPISecurityRequirement>>()
  HttpApi.reflect(api, {
    predicate: ({ endpoint, group }) => {
      const kinds = [...group.middlewares, ...endpoint.middlewares].flatMap(({ key }) => accepted.get(key) ?? [])
      if (kinds.length > 0) {
        security.set(
          `${group.identifier}.${endpoint.name}`,
          kinds.map((kind) => ({ [kind]: [] }))
        )
      }
      return false
    },
    onGroup: () => undefined,
    onEndpoint: () => undefined
  })
  return security
}

const describeItem = (path: string, item: OpenApi.OpenAPISpecPathItem, schemas: JsonTree, security: Security) =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      {
        ...operation,
        parameters: tidy(operation.parameters),
        ...(operation.requestBody === undefined ? {} : { requestBody: tidy(openBody(operation.requestBody)) }),
        responses: describeResponses(operation.responses, schemas, path.startsWith("/sdk/")),
        security: security.get(operation.operationId) ?? operation.security
      }
    ])
  )

const bodiesOf = (paths: OpenApi.OpenAPISpecPaths): ReadonlyArray<unknown> =>
  Object.values(paths).flatMap((item) => Object.values(item).map(({ requestBody }) => requestBody))

/** What the generated document lacks: credentials of each operation, and only errors that the server really answers. */
export const describe = <Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: Api<Groups, E, R>,
  paths: OpenApi.OpenAPISpecPaths,
  schemas: OpenApi.OpenAPIComponents["schemas"]
) => {
  const security = securityByOperation(api)
  const { HttpApiDecodeError: _, Issue: __, PropertyKey: ___, ...named } = schemas
  const instant = { type: "string", format: "date-time" }
  const described = Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, tidy(schema)]))
  return {
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, describeItem(path, item, named, security)])
    ),
    components: {
      schemas: { ...openRequests(described, bodiesOf(paths)), DateTimeUtc: instant, SdkFailure: sdkFailure },
      securitySchemes
    }
  }
}
