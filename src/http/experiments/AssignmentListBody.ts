import type { HttpServerRequest } from "@effect/platform"
import { Chunk, Effect, Either, Option, Stream } from "effect"
import { MalformedJson, PayloadTooLarge } from "../../../schema/RequestErrors.ts"
import { inTurns } from "../../services/InTurns.ts"
import { textBody } from "../platform/Body.ts"
import { jsonSteps, stepCharacters } from "../../domain/JsonSteps.ts"

/** Characters of a list of items, or of one item a line. */
const maxCharacters = 8 * 1024 * 1024

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const malformed = (message: string) => Effect.fail(new MalformedJson({ message }))

const isLines = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  !/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? "application/json")

const wholeText = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(textBody(request), (text) =>
    text.pipe(
      Stream.mapAccumEffect(0, (before, piece: string) => {
        const length = before + piece.length
        return length > maxCharacters
          ? Effect.fail(new PayloadTooLarge({ message: `A body may have at most ${maxCharacters} characters` }))
          : Effect.succeed([length, piece] as const)
      }),
      Stream.runCollect,
      Effect.map((pieces) => Chunk.join(pieces, ""))
    )
  )

/** The items of lines, some of them in each step. */
function* lineSteps(text: string): Generator<undefined, ReadonlyArray<unknown>> {
  const items: Array<unknown> = []
  let parsedTo = 0
  for (let at = 0; at < text.length;) {
    const found = text.indexOf("\n", at)
    const end = found === -1 ? text.length : found
    const line = text.slice(at, end)
    if (line.trim() !== "") items.push(Option.getOrNull(parse(line)))
    at = end + 1
    if (at - parsedTo < stepCharacters) continue
    parsedTo = at
    yield undefined
  }
  return items
}

/** The items of a JSON list, or one a line. A line that is no JSON is null, so that it is refused by itself. */
export const itemsOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const text = yield* wholeText(request)
  if (isLines(request)) return yield* inTurns(() => lineSteps(text))
  const list = Either.getOrNull(yield* inTurns(() => jsonSteps(text)))
  return Array.isArray(list) ? list.map((item: unknown) => item) : yield* malformed("The body must be a JSON list")
})
