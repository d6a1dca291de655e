import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option, SchemaAST } from "effect"
import { accepted } from "../../../schema/access/Auth.ts"
import { Api } from "../../../schema/Api.ts"
import { BodyLimit, usualBody } from "../../../schema/BodyLimit.ts"
import type { Check } from "../../../schema/Check.ts"
import { checkOf } from "../../../schema/Checks.ts"
import { Traffic, type TrafficKind } from "../../../schema/Traffic.ts"
import { RequiredPermission } from "../../../schema/access/RequiredPermission.ts"
import { isObject } from "../../../schema/Words.ts"
import { isAudited } from "../../../schema/operations/Audited.ts"
import { RawBody } from "../../../schema/RawBody.ts"

export interface Route {
  /** The group of the API and the endpoint in it, as `system.ready`; the path of what is in no contract. */
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly pattern: RegExp
  readonly hasPayload: boolean
  /** Whether it reads a body, declared as payload or in words. */
  readonly takesBody: boolean
  /** The most bytes of a JSON body. */
  readonly bodyLimit: number
  /** Whether a request without a body counts as one whose body is `null`. */
  readonly mayBeEmpty: boolean
  readonly rawBody: boolean
  readonly traffic: TrafficKind
  /** Whether it answers callers who show no key, token or session. */
  readonly isOpen: boolean
  /** Whether the contract has it refuse callers who show no key, token or session. */
  readonly needsCredential: boolean
  /** What is wrong with a body that decodes as JSON. */
  readonly check: Check
  /** Whether it changes something of an organization, so that the log of changes tells of it. */
  readonly isAudited: boolean
  readonly parameters: ParameterChecks
}

/** What is wrong with the parameters of a request. */
export interface ParameterChecks {
  readonly path: Check
  readonly query: Check
  readonly headers: Check
  /** Names of the query parameters; null where any other is left alone. */
  readonly names: ReadonlySet<string> | null
  /** Names of the query parameters that come once at most. */
  readonly singles: ReadonlySet<string>
}

/** Games in the field send what their version knows: an unknown field of theirs is left alone. */
const isLenient = (path: string): boolean => path.startsWith("/sdk/")

const anything: Check = () => undefined

/** Made at the first request that needs it: all of them together took a seventh of the time of each short command. */
const whenNeeded = (make: () => Check): Check => {
  let made: Check | undefined
  return (value, report) => (made ??= make())(value, report)
}

type Described = Option.Option<{ readonly ast: SchemaAST.AST }>

const checkIn = (schema: Described, isStrict: boolean, isForParameters: boolean): Check =>
  Option.match(schema, {
    onNone: () => anything,
    onSome: (known) => whenNeeded(() => checkOf(known, { isStrict, isForParameters }))
  })

const fieldsOf = (schema: Described) =>
  Option.match(schema, {
    onNone: () => [],
    onSome: ({ ast }) => SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast))
  })

const namesIn = (schema: Described): ReadonlySet<string> => new Set(fieldsOf(schema).map(({ name }) => String(name)))

const isList = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Union" ? ast.types.some(isList) : ast._tag === "TupleType"

const singlesIn = (schema: Described): ReadonlySet<string> =>
  new Set(fieldsOf(schema).flatMap(({ name, type }) => (isList(type) ? [] : [String(name)])))

/** Links and images are fetched by what adds parameters of its own: campaigns, caches. */
const takesAny = (path: string, names: ReadonlySet<string>): boolean =>
  isLenient(path) || path.startsWith("/d/") || names.has("v")

interface Parameters {
  readonly path: string
  readonly pathSchema: Described
  readonly urlParamsSchema: Described
  readonly headersSchema: Described
}

const none: ReadonlySet<string> = new Set()

const noParameters: Check = (value, report) => {
  for (const name of isObject(value) ? Object.keys(value) : []) report.unknown(name, none, undefined, "parameter")
}

const parametersOf = ({ path, pathSchema, urlParamsSchema, headersSchema }: Parameters): ParameterChecks => {
  const names = namesIn(urlParamsSchema)
  const isOpen = takesAny(path, names)
  return {
    path: checkIn(pathSchema, false, true),
    query: Option.isNone(urlParamsSchema) && !isOpen ? noParameters : checkIn(urlParamsSchema, !isOpen, true),
    headers: checkIn(headersSchema, false, true),
    names: isOpen ? null : names,
    singles: singlesIn(urlParamsSchema)
  }
}

/**
 * Methods that take a path only as it is written. Clients that shorten paths make `/application/19/` of `/application/19/players/..`, so that
 * whoever erases a player of that id would delete the project. No path of these methods ends with a slash in the specification.
 */
const exactMethods: ReadonlySet<string> = new Set(["DELETE", "PATCH"])

const patternOf = (method: string, path: string): RegExp => {
  const literal = path.replace(/[.+?^$()|[\]\\]/g, "\\$&").replace(/:([A-Za-z]+)/g, "(?<$1>[^/]+)")
  return new RegExp(`^${literal}${exactMethods.has(method) ? "" : "/?"}$`)
}

const takesNull = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Union" ? ast.types.some(takesNull) : ast._tag === "Literal" && ast.literal === null

const hasPayload = ({
  method,
  payloadSchema
}: {
  readonly method: string
  readonly payloadSchema: Described
}): boolean => Option.isSome(payloadSchema) && method !== "GET"

/** Looks at endpoints before `reflect` lists their answers and failures: of these it would make schemas, a twentieth of the whole start. */
const declared = (): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  let ofGroup: Context.Context<never> = Context.empty()
  HttpApi.reflect(Api, {
    onGroup: ({ mergedAnnotations }) => {
      ofGroup = mergedAnnotations
    },
    predicate: ({ group, endpoint }) => {
      const annotations = Context.merge(ofGroup, endpoint.annotations)
      const operation = `${group.identifier}.${endpoint.name}`
      const needsCredential = [...group.middlewares, ...endpoint.middlewares].some(({ key }) => accepted.has(key))
      routes.push({
        operation,
        method: endpoint.method,
        path: endpoint.path,
        pattern: patternOf(endpoint.method, endpoint.path),
        hasPayload: hasPayload(endpoint),
        takesBody:
          hasPayload(endpoint) ||
          Option.exists(Context.getOption(annotations, OpenApi.Override), (words) => "requestBody" in words),
        bodyLimit: Context.get(annotations, BodyLimit),
        mayBeEmpty: Option.exists(endpoint.payloadSchema, ({ ast }) => takesNull(ast)),
        rawBody: Context.get(annotations, RawBody),
        traffic: Context.get(annotations, Traffic),
        isOpen: !needsCredential,
        needsCredential,
        check: checkIn(endpoint.payloadSchema, !isLenient(endpoint.path), false),
        isAudited: isAudited(
          endpoint.method,
          operation,
          Option.getOrUndefined(Context.getOption(annotations, RequiredPermission))
        ),
        parameters: parametersOf(endpoint)
      })
      return false
    },
    onEndpoint: () => undefined
  })
  return routes
}

const undeclared: ReadonlyArray<Route> = ["GET /openapi.json", "GET /docs", "POST /mcp"].map((line) => {
  const [method = "", path = ""] = line.split(" ")
  return {
    operation: path,
    method,
    path,
    pattern: patternOf(method, path),
    hasPayload: false,
    takesBody: method === "POST",
    bodyLimit: usualBody,
    mayBeEmpty: false,
    rawBody: false,
    traffic: "people",
    isOpen: method === "GET",
    needsCredential: false,
    check: anything,
    isAudited: false,
    parameters: { path: anything, query: anything, headers: anything, names: null, singles: none }
  }
})

/** All endpoints of the contract, and what answers beside it. */
export const routes: ReadonlyArray<Route> = [...declared(), ...undeclared]
