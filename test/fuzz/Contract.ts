import { HttpApi, HttpApiSchema, OpenApi } from "@effect/platform"
import { Either, Option, ParseResult, Schema } from "effect"
import type { SchemaAST } from "effect"
import { STATUS_CODES } from "node:http"
import { Api } from "../../schema/Api.ts"
import type { Answer } from "../support/TestApp.ts"

interface Answered {
  /** What the body decodes with; null where there is none. */
  readonly schema: Schema.Schema<unknown, unknown> | null
  readonly contentType: string
  /** Other types that the document lists, whose bodies are files. */
  readonly files: ReadonlyArray<string>
  /** The codes that the document lists; empty for a success. */
  readonly codes: ReadonlySet<string>
}

/** What one operation may answer, by status: of the contract's schemas what the published document lists. */
interface Operation {
  readonly name: string
  readonly method: string
  readonly segments: ReadonlyArray<string>
  readonly answers: ReadonlyMap<number, Answered>
}

interface Member {
  readonly ast: Option.Option<SchemaAST.AST>
}

const { paths } = OpenApi.fromApi(Api)

const codesOf = (description: string, status: number): ReadonlySet<string> =>
  new Set(status < 400 ? [] : description.split(", "))

const answersOf = (method: string, path: string, members: ReadonlyMap<number, Member>) => {
  const item: Record<string, OpenApi.OpenAPISpecOperation> = { ...paths[path.replace(/:(\w+)/g, "{$1}")] }
  const responses = item[method.toLowerCase()]?.responses ?? {}
  return new Map(
    Object.entries(responses).flatMap(([key, { description, content }]) => {
      const status = Number(key)
      const member = members.get(status)
      if (member === undefined) return []
      const schema = Option.match(member.ast, {
        onNone: () => null,
        onSome: (ast): Answered["schema"] => Schema.make(ast)
      })
      const contentType = Option.match(member.ast, {
        onNone: () => "",
        onSome: (ast) => HttpApiSchema.getEncoding(ast).contentType
      })
      const files = Object.keys(content ?? {}).filter((type) => !type.startsWith("application/json"))
      return [[status, { schema, contentType, files, codes: codesOf(description, status) }] as const]
    })
  )
}

const operations: ReadonlyArray<Operation> = (() => {
  const found: Array<Operation> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { method, path, name }, group, successes, errors }) =>
      found.push({
        name: `${group.identifier}.${name}`,
        method,
        segments: path.split("/"),
        answers: answersOf(method, path, new Map([...successes, ...errors]))
      })
  })
  return found
})()

const readable = (path: string): string => {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const isVariable = (segment: string) => segment.startsWith(":")

/** The operation that a request is for; undefined where the contract has none. */
export const operationOf = (method: string, path: string): Operation | undefined => {
  const [pathname = ""] = new URL(`http://test${path}`).pathname.split(";")
  const segments = readable(pathname.replace(/(?<=.)\/$/, "")).split("/")
  const matching = operations.filter(
    (operation) =>
      operation.method === method &&
      operation.segments.length === segments.length &&
      operation.segments.every((segment, at) => (isVariable(segment) ? segments[at] !== "" : segment === segments[at]))
  )
  const fixed = (operation: Operation) => operation.segments.filter((segment) => !isVariable(segment)).length
  return matching.toSorted((a, b) => fixed(b) - fixed(a))[0]
}

const excess = { onExcessProperty: "error" } as const

const misfit = <A, I>(schema: Schema.Schema<A, I>, body: unknown): string | undefined => {
  const decoded = Schema.decodeUnknownEither(schema, excess)(body)
  return Either.match(decoded, {
    onLeft: (error) => ParseResult.TreeFormatter.formatErrorSync(error).slice(0, 1000),
    onRight: () => undefined
  })
}

const isForGames = (path: string) => readable(new URL(`http://test${path}`).pathname).startsWith("/sdk/")

const envelope = Schema.Struct({
  statusCode: Schema.Int,
  code: Schema.String,
  error: Schema.String,
  message: Schema.NonEmptyString
})

/** The body of a refusal without what the game side adds to it. */
const refusalIn = (path: string, body: unknown): unknown => {
  if (!isForGames(path) || typeof body !== "object" || body === null || !("errorCode" in body)) return body
  const { errorCode, ...rest } = body
  return "code" in rest && rest.code === errorCode ? rest : body
}

const wrongRefusal = (path: string, { status, body, text }: Answer, answered: Answered | undefined) => {
  if (body === undefined) return `status ${status} without a JSON body: ${text.slice(0, 300)}`
  if (isForGames(path) && body.errorCode !== body.code) return `no errorCode: ${text.slice(0, 300)}`
  const refusal = refusalIn(path, body)
  if (body.statusCode !== status || body.error !== STATUS_CODES[status]) return `other status than ${status}: ${text}`
  if (answered === undefined) {
    const flaw = misfit(envelope, refusal)
    return flaw === undefined ? undefined : `no envelope: ${flaw}`
  }
  if (!answered.codes.has(body.code))
    return `status ${status} with the code ${body.code}, which is not declared: ${text}`
  const flaw = answered.schema === null ? "no body is declared" : misfit(answered.schema, refusal)
  return flaw === undefined ? undefined : `status ${status} is not as declared: ${flaw}`
}

const wrongSuccess = ({ status, body, text, headers }: Answer, { schema, contentType, files }: Answered) => {
  if (schema === null) return text === "" ? undefined : `status ${status} with a body: ${text.slice(0, 300)}`
  const sent = headers.get("content-type") ?? ""
  const expected = contentType.replace("*", "")
  if (schema !== null && files.some((type) => type !== contentType && sent.startsWith(type))) return undefined
  if (!sent.startsWith(expected)) return `content type ${sent} instead of ${contentType}`
  if (contentType !== "application/json") return undefined
  const flaw = misfit(schema, body)
  return flaw === undefined ? undefined : `status ${status} is not as declared: ${flaw}`
}

/** Whether an answer must say what caches do with it: games show a key in `Authorization`, of which they know. */
const isOfCaller = ({ segments: [, first = ""] }: Operation): boolean => first !== "sdk"

/** What is wrong with an answer by the contract; undefined where nothing is. */
export const complaint = (method: string, path: string, answer: Answer): string | undefined => {
  const { status, text, headers } = answer
  if (headers.get("x-content-type-options") !== "nosniff") return "no nosniff"
  if (headers.get("x-request-id") === null && method !== "OPTIONS") return "no x-request-id"
  if (status >= 500) return `status ${status}: ${text.slice(0, 300)}`
  if (method === "HEAD" && text === "") return undefined
  if (status === 405 && (headers.get("allow") ?? method).split(", ").includes(method)) return "refuses what it allows"
  const operation = operationOf(method, path)
  const answered = operation?.answers.get(status)
  if (operation !== undefined && answered === undefined)
    return `${operation.name} answers ${status}, which is not declared: ${text.slice(0, 300)}`
  if (status < 400 && operation !== undefined && isOfCaller(operation) && headers.get("cache-control") === null)
    return `${operation.name} does not say whether its answer may be kept`
  if (status >= 400) return wrongRefusal(path, answer, answered)
  return answered === undefined ? undefined : wrongSuccess(answer, answered)
}
