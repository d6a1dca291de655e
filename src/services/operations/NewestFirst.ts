import { Effect, Option, Schema } from "effect"
import { CursorInvalid } from "../../../schema/RequestErrors.ts"

interface Paging {
  readonly limit: number
  readonly cursor?: string | undefined
}

const refused = () => Effect.fail(new CursorInvalid({ message: "cursor: expected the nextCursor of the page before" }))

/**
 * One page of a list that begins with its newest item. `read` is asked for what has a lower id, or for the newest where it is null, and for
 * one item more than the page holds; the cursor is the last id of the page before.
 */
export const newestFirst = Effect.fnUntraced(function* <A, Id extends number, E, R>(
  { limit, cursor }: Paging,
  Id: Schema.Schema<Id, number>,
  idOf: (item: A) => Id,
  read: (below: Id | null, limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
) {
  const below =
    cursor === undefined ? Option.some(null) : Schema.decodeOption(Schema.compose(Schema.NumberFromString, Id))(cursor)
  if (Option.isNone(below)) return yield* refused()
  const found = yield* read(below.value, limit + 1)
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: found.length > limit && last !== undefined ? String(idOf(last)) : null }
})
