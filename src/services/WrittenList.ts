import { Effect, Schema } from "effect"
import { nextTurn } from "../ports/operations/NextTurn.ts"

const encoder = new TextEncoder()

/** The parts one after the other. */
export const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** A list as JSON in UTF-8, written one item at a time, with a turn of the event loop for each: an item may be a large document. */
export const writtenList = Effect.fnUntraced(function* <A, I>(schema: Schema.Schema<A, I>, items: Iterable<A>) {
  const parts: Array<Uint8Array> = []
  for (const item of items) {
    const encoded = yield* Effect.orDie(Schema.encode(schema)(item))
    parts.push(encoder.encode(`${parts.length === 0 ? "[" : ","}${JSON.stringify(encoded)}`))
    yield* nextTurn
  }
  return joined([...parts, encoder.encode(parts.length === 0 ? "[]" : "]")])
})
