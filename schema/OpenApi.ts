import type { HttpApiGroup, OpenApi } from "@effect/platform"
import { HttpApi } from "@effect/platform"
import { Context, Option } from "effect"
import { accepted, sessionCookieName } from "./access/Auth.ts"
import type { Requirement } from "./access/RequiredPermission.ts"
import { RequiredPermission, requirementInWords } from "./access/RequiredPermission.ts"
import { exampleOf } from "./Example.ts"
import type { JsonTree } from "./JsonTree.ts"
import { describeResponses, sdkFailure } from "./OpenApiResponses.ts"
import type { Lenient } from "./OpenApiSchemas.ts"
import { lenientSchema, mapMedia, openBody, openLenient, sharedWithLenient, tidy } from "./OpenApiSchemas.ts"
import { described } from "./OpenApiWords.ts"
import { isAudited, longestReason, reasonHeader } from "./operations/Audited.ts"
import { Traffic, type TrafficKind } from "./Traffic.ts"

type Api<Groups extends HttpApiGroup.HttpApiGroup.Any, E, R> = HttpApi.HttpApi<string, Groups, E, R>

/** What the contract says of an operation beside its shapes: the credentials it takes, the permission it asks for, a body. */
interface Remarks {
  readonly security: Array<OpenApi.OpenAPISecurityRequirement> | undefined
  readonly requirement: Requirement | undefined
  readonly example: Option.Option<unknown>
  readonly traffic: TrafficKind
}

const securitySchemes: Record<string, OpenApi.OpenAPISecurityScheme> = {
  session: { type: "apiKey", in: "cookie", name: sessionCookieName, description: "Set by sign-in" },
  personal: { type: "http", scheme: "bearer", description: "Personal access token, gk_pat_…" },
  secret: { type: "http", scheme: "bearer", description: "Secret server key, gk_sk_…; never ship it in a game" },
  public: { type: "apiKey", in: "header", name: "authorization", description: "Public SDK key, sdk_…" }
}

// `onEndpoint` would gather every failure of every endpoint once more; the predicate sees all that is needed.
const remarksByOperation = <Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(api: Api<Groups, E, R>) => {
  const remarks = new Map<string, Remarks>()
  HttpApi.reflect(api, {
    predicate: ({ endpoint, group }) => {
      const kinds = [...group.middlewares, ...endpoint.middlewares].flatMap(({ key }) => accepted.get(key) ?? [])
      remarks.set(`${group.identifier}.${endpoint.name}`, {
        security: kinds.length === 0 ? undefined : kinds.map((kind) => ({ [kind]: [] })),
        requirement: Option.getOrUndefined(Context.getOption(endpoint.annotations, RequiredPermission)),
        example: Option.flatMap(endpoint.payloadSchema, ({ ast }) => exampleOf(ast)),
        traffic: Context.get(Context.merge(group.annotations, endpoint.annotations), Traffic)
      })
      return false
    },
    onGroup: () => undefined,
    onEndpoint: () => undefined
  })
  return remarks
}

/** `also` names further permissions, where the endpoint asks for several. */
const requirementForPrograms = (requirement: Requirement) => {
  if (requirement.permission === "none") return { permission: requirement.permission }
  const { permission, also, scope } = requirement
  return also.length === 0 ? { permission, scope } : { permission, also, scope }
}

/** The requirement as the last sentence of the description, and for programs as `x-permission`. */
const describeRequirement = (requirement: Requirement | undefined, description: string | undefined) => {
  if (requirement === undefined) return {}
  return {
    description: [...(description === undefined ? [] : [description]), requirementInWords(requirement)].join(" "),
    "x-permission": requirementForPrograms(requirement)
  }
}

const reason: OpenApi.OpenAPISpecParameter = {
  name: reasonHeader,
  in: "header",
  schema: { type: "string", maxLength: longestReason },
  required: false
}

/** What an operation is for, who may ask for it, and what its parameters are. */
const describeOperation = (method: string, operation: OpenApi.OpenAPISpecOperation, remarks: Remarks | undefined) => {
  const security = remarks?.security ?? operation.security
  const isLogged = isAudited(method, operation.operationId, remarks?.requirement)
  const all = isLogged ? [...operation.parameters, reason] : operation.parameters
  const { description, parameters } = described({ ...operation, parameters: all }, security)
  return { description, parameters, security, ...describeRequirement(remarks?.requirement, description) }
}

/** Whether an operation leaves unknown fields of its body alone: games send what their version knows, markers what they like. */
const isLenient = (path: string): boolean => path.startsWith("/sdk/") || path.endsWith("/markers/import")

/** The body with its schemas tidied and its example, which stays as it is. */
const bodyOf = (path: string, body: unknown, example: Option.Option<unknown>, shared: ReadonlySet<string>): unknown =>
  mapMedia(openBody(body), ({ schema, ...media }) => ({
    schema: isLenient(path) ? lenientSchema(tidy(schema), shared) : tidy(schema),
    ...media,
    ...Option.match(example, { onNone: () => ({}), onSome: (value) => ({ example: value }) })
  }))

const describeItem = (
  path: string,
  item: OpenApi.OpenAPISpecPathItem,
  schemas: JsonTree,
  remarks: ReadonlyMap<string, Remarks>,
  shared: ReadonlySet<string>
) =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => {
      const own = remarks.get(operation.operationId)
      const { requestBody } = operation
      return [
        method,
        {
          ...operation,
          ...describeOperation(method, operation, own),
          ...(requestBody === undefined
            ? {}
            : { requestBody: bodyOf(path, requestBody, own?.example ?? Option.none(), shared) }),
          responses: describeResponses(operation, schemas, {
            isSdk: path.startsWith("/sdk/"),
            isVital: own?.traffic === "vital"
          })
        }
      ]
    })
  )

/** Bodies that are lenient, and all else that operations send and answer. */
const lenientIn = (paths: OpenApi.OpenAPISpecPaths): Lenient => {
  const bodies: Array<unknown> = []
  const others: Array<unknown> = []
  for (const [path, item] of Object.entries(paths)) {
    for (const { requestBody, responses } of Object.values(item)) {
      if (isLenient(path)) bodies.push(requestBody)
      else others.push(requestBody)
      others.push(responses)
    }
  }
  return { bodies, others }
}

/** The groups of operations as the specification labels them. */
const tagGroups = [
  { name: "User", tags: ["User authentication", "Users", "Password resets", "Personal access tokens"] },
  {
    name: "Organization API",
    tags: [
      "Organizations",
      "Invitations",
      "Organization icon",
      "API keys",
      "Roles",
      "Audit log",
      "Webhooks",
      "Projects",
      "Environments"
    ]
  },
  {
    name: "Server API",
    tags: ["Analytics queries", "Saved queries", "Query stars", "Boards", "Heatmaps", "Cohorts", "Markers", "Players"]
  },
  { name: "Project API", tags: ["Configurations", "Deeplinks", "Experiments", "Drafts of experiments", "Assignments"] }
]

const grouped = new Set(tagGroups.flatMap(({ tags }) => tags))

/** Every tag in one group; what the specification does not label stands under the game or the server. */
const groupsOf = (tags: ReadonlyArray<{ readonly name: string }>) => {
  const rest = tags.map(({ name }) => name).filter((name) => !grouped.has(name))
  const isOfGames = (name: string) => name.startsWith("Game") || name === "Markers in" || name === "Redirects"
  return [
    ...tagGroups,
    { name: "Game API", tags: rest.filter(isOfGames) },
    { name: "Server", tags: rest.filter((name) => !isOfGames(name)) }
  ]
}

/** What the generated document lacks: credentials of each operation, and only errors that the server really answers. */
export const describe = <Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: Api<Groups, E, R>,
  paths: OpenApi.OpenAPISpecPaths,
  schemas: OpenApi.OpenAPIComponents["schemas"],
  tags: ReadonlyArray<{ readonly name: string }>
) => {
  const remarks = remarksByOperation(api)
  const { HttpApiDecodeError: _, Issue: __, PropertyKey: ___, ...named } = schemas
  const instant = { type: "string", format: "date-time" }
  const tidied: JsonTree = Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, tidy(schema)]))
  const lenient = lenientIn(paths)
  const shared = sharedWithLenient(tidied, lenient)
  const { Int: ____, JsonNumber: _____, ...components } = openLenient(tidied, lenient)
  return {
    "x-tagGroups": groupsOf(tags),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, describeItem(path, item, named, remarks, shared)])
    ),
    components: {
      schemas: { ...components, DateTimeUtc: instant, SdkFailure: sdkFailure },
      securitySchemes
    }
  }
}
