import { Data, Effect, Option, Redacted, Schema } from "effect"
import { isTree, type JsonTree } from "../../schema/JsonTree.ts"
import { foreignAnswer, givenToCommands, isOurs, unreachable } from "../domain/operations/Unreachable.ts"
import { isPathSegment } from "../domain/PathSegment.ts"
import { operations } from "./Operations.ts"

/** Why a tool did nothing, in words that tell an assistant what to change. */
export class ToolRefused extends Data.TaggedError("ToolRefused")<{ readonly message: string }> {}

/** How a server is reached: over the network, or in the process of the server itself. */
export interface Way {
  readonly send: (request: Request) => Promise<Response>
  /** Where requests go. */
  readonly url: string
  /** Where people open the dashboard. */
  readonly pages: string
  readonly token: Redacted.Redacted
}

/** The API with the permissions of one token. */
export interface Asker {
  readonly pages: string
  /** Calls an endpoint with arguments by name; the body is sent as it is. Fails as the API refuses. */
  readonly ask: (operation: string, given: JsonTree, body?: unknown) => Effect.Effect<unknown, ToolRefused>
  /** The same, with an answer of that shape. */
  readonly askFor: <A, I>(
    schema: Schema.Schema<A, I>,
    operation: string,
    given: JsonTree,
    body?: unknown
  ) => Effect.Effect<A, ToolRefused>
}

/** Characters of an answer of the API: more of them would be read on the server's thread for too long. */
const longestAnswer = 2 * 1024 * 1024

/** The refusal of an answer that has more characters than it may. */
export const tooLong = (length: number, most: number): ToolRefused =>
  new ToolRefused({
    message: `The answer has ${length} characters, more than ${most}: ask for less (fewer breakdowns, a shorter period, a smaller limit or fewer cells)`
  })

const parsed = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** Whether a text can be a part of a path by itself: an empty one would lead to the list of all, half a character nowhere. */
const isInPath = (text: string): boolean => text !== "" && isPathSegment(text) && text.isWellFormed()

const notInPath = (name: string, value: string): ToolRefused =>
  new ToolRefused({
    message: `${name}: ${value === "" ? "an empty text" : value} cannot stand in a path, so that this player or object cannot be asked for`
  })

const isInHeader = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

const notInHeader = (name: string): ToolRefused =>
  new ToolRefused({ message: `${name} has characters that no header may have` })

const requestOf = (
  way: Way,
  name: string,
  given: JsonTree,
  body: unknown
): Effect.Effect<(signal: AbortSignal) => Request, ToolRefused> => {
  const operation = operations.get(name)
  if (operation === undefined) return Effect.fail(new ToolRefused({ message: `The API has no operation ${name}` }))
  const token = Redacted.value(way.token)
  if (!isInHeader(token)) return Effect.fail(notInHeader("The token"))
  const headers = new Headers({ authorization: `Bearer ${token}` })
  const query = new URLSearchParams()
  let path = operation.path
  for (const [key, { place, takesMany }] of operation.parameters) {
    const value = given[key]
    if (value === undefined) continue
    const text = written(value)
    if (place === "path" && !isInPath(text)) return Effect.fail(notInPath(key, text))
    if (place === "header" && !isInHeader(text)) return Effect.fail(notInHeader(key))
    if (place === "path") path = path.replace(`:${key}`, encodeURIComponent(text))
    else if (place === "header") headers.set(key, text)
    else for (const each of takesMany ? [value].flat() : [text]) query.append(key, written(each))
  }
  const search = query.size === 0 ? "" : `?${query.toString()}`
  if (body !== undefined) headers.set("content-type", "application/json")
  const address = `${way.url.replace(/\/+$/, "")}${path}${search}`
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return Effect.succeed((signal) => new Request(address, { method: operation.method, headers, signal, ...sent }))
}

const refusalIn = (status: number, body: unknown): ToolRefused =>
  new ToolRefused({
    message:
      isTree(body) && typeof body["message"] === "string"
        ? `${body["message"]} (${String(body["code"])})`
        : `The server answered with the status ${status}`
  })

/** Asks a server for one token. */
export const askerOf = (way: Way): Asker => {
  const ask = Effect.fnUntraced(function* (name: string, given: JsonTree, body?: unknown) {
    const request = yield* requestOf(way, name, given, body)
    const unanswered = (cause: unknown) => new ToolRefused({ message: unreachable(way.url, givenToCommands, cause) })
    const response = yield* Effect.tryPromise({ try: (signal) => way.send(request(signal)), catch: unanswered })
    const text = yield* Effect.tryPromise({ try: () => response.text(), catch: unanswered })
    if (!isOurs(response.status, response.headers.get("content-type")))
      return yield* new ToolRefused({ message: foreignAnswer(way.url, givenToCommands, response.status) })
    if (text.length > longestAnswer) return yield* tooLong(text.length, longestAnswer)
    const answer = text === "" ? null : Option.getOrElse(parsed(text), () => text)
    if (!response.ok) return yield* refusalIn(response.status, answer)
    return answer
  })
  const askFor: Asker["askFor"] = (schema, operation, given, body) =>
    Effect.flatMap(ask(operation, given, body), (answer) =>
      Effect.mapError(
        Schema.decodeUnknown(schema)(answer),
        ({ message }) =>
          new ToolRefused({ message: `The server answered what this version does not understand: ${message}` })
      )
    )
  return { pages: way.pages.replace(/\/+$/, ""), ask, askFor }
}
