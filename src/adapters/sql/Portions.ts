import { Effect } from "effect"
import { nextTurn } from "../../ports/operations/NextTurn.ts"

/** Rows that one statement deletes or changes. */
export const rowsAtOnce = 500

/** The same where a row may hold a document, an answer or a picture of a mebibyte and more. */
export const documentsAtOnce = 5

/**
 * Repeats a deletion or a change of up to `limit` rows, which answers how many it found, until it finds fewer; the event loop takes a turn after each.
 * Answers how many were found in all.
 */
export const inPortions = Effect.fnUntraced(function* <E>(limit: number, portion: Effect.Effect<number, E>) {
  let total = 0
  for (let found = limit; found === limit;) {
    found = yield* portion
    total += found
    yield* nextTurn
  }
  return total
})
