import type { HttpApiGroup, OpenApi } from "@effect/platform"
import { HttpApi } from "@effect/platform"
import { Context, Option } from "effect"
import { accepted, sessionCookieName } from "./access/Auth.ts"
import type { Requirement } from "./access/RequiredPermission.ts"
import { RequiredPermission, requirementInWords } from "./access/RequiredPermission.ts"
import type { JsonTree } from "./JsonTree.ts"
import { describeResponses, sdkFailure } from "./OpenApiResponses.ts"
import { openBody, openRequests, tidy } from "./OpenApiSchemas.ts"

type Api<Groups extends HttpApiGroup.HttpApiGroup.Any, E, R> = HttpApi.HttpApi<string, Groups, E, R>

/** What the contract says of an operation beside its shapes: the credentials it takes and the permission it asks for. */
interface Access {
  readonly security: Array<OpenApi.OpenAPISecurityRequirement> | undefined
  readonly requirement: Requirement | undefined
}

const securitySchemes: Record<string, OpenApi.OpenAPISecurityScheme> = {
  session: { type: "apiKey", in: "cookie", name: sessionCookieName, description: "Set by sign-in" },
  personal: { type: "http", scheme: "bearer", description: "Personal access token, gk_pat_…" },
  secret: { type: "http", scheme: "bearer", description: "Secret server key, gk_sk_…; never ship it in a game" },
  public: { type: "apiKey", in: "header", name: "authorization", description: "Public SDK key, sdk_…" }
}

// `onEndpoint` would gather every failure of every endpoint once more; the predicate sees all that is needed.
const accessByOperation = <Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(api: Api<Groups, E, R>) => {
  const access = new Map<string, Access>()
  HttpApi.reflect(api, {
    predicate: ({ endpoint, group }) => {
      const kinds = [...group.middlewares, ...endpoint.middlewares].flatMap(({ key }) => accepted.get(key) ?? [])
      access.set(`${group.identifier}.${endpoint.name}`, {
        security: kinds.length === 0 ? undefined : kinds.map((kind) => ({ [kind]: [] })),
        requirement: Option.getOrUndefined(Context.getOption(endpoint.annotations, RequiredPermission))
      })
      return false
    },
    onGroup: () => undefined,
    onEndpoint: () => undefined
  })
  return access
}

/** The requirement as the last sentence of the description, and for programs as `x-permission`. */
const describeRequirement = (requirement: Requirement | undefined, description: string | undefined) => {
  if (requirement === undefined) return {}
  const { permission } = requirement
  return {
    description: [...(description === undefined ? [] : [description]), requirementInWords(requirement)].join(" "),
    "x-permission": permission === "none" ? { permission } : { permission, scope: requirement.scope }
  }
}

const describeItem = (
  path: string,
  item: OpenApi.OpenAPISpecPathItem,
  schemas: JsonTree,
  access: ReadonlyMap<string, Access>
) =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      {
        ...operation,
        parameters: tidy(operation.parameters),
        ...(operation.requestBody === undefined ? {} : { requestBody: tidy(openBody(operation.requestBody)) }),
        responses: describeResponses(operation, schemas, path.startsWith("/sdk/")),
        security: access.get(operation.operationId)?.security ?? operation.security,
        ...describeRequirement(access.get(operation.operationId)?.requirement, operation.description)
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
  const access = accessByOperation(api)
  const { HttpApiDecodeError: _, Issue: __, PropertyKey: ___, ...named } = schemas
  const instant = { type: "string", format: "date-time" }
  const described = Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, tidy(schema)]))
  return {
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, describeItem(path, item, named, access)])
    ),
    components: {
      schemas: { ...openRequests(described, bodiesOf(paths)), DateTimeUtc: instant, SdkFailure: sdkFailure },
      securitySchemes
    }
  }
}
