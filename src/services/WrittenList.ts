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

/** The JSON text of an item, as its schema encodes it. */
export const written = <A, I>(schema: Schema.Schema<A, I>) => {
  const encode = Schema.encode(schema)
  return (item: A): Effect.Effect<string> =>
    Effect.map(Effect.orDie(encode(item)), (encoded) => JSON.stringify(encoded))
}

/**
 * A list as JSON in UTF-8, written one item at a time: an item may be a large document. There is a turn of the event loop after each, or, of items that
 * are small as a rule, whenever `bytesPerTurn` have been written since the last.
 */
export const writtenList = Effect.fnUntraced(function* <A>(
  write: (item: A) => Effect.Effect<string>,
  items: Iterable<A>,
  bytesPerTurn = 0
) {
  const parts: Array<Uint8Array> = []
  let bytes = 0
  for (const item of items) {
    const part = encoder.encode(`${parts.length === 0 ? "[" : ","}${yield* write(item)}`)
    parts.push(part)
    bytes += part.length
    if (bytes < bytesPerTurn) continue
    bytes = 0
    yield* nextTurn
  }
  return joined([...parts, encoder.encode(parts.length === 0 ? "[]" : "]")])
})
