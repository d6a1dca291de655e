import { Effect, Option, Schema } from "effect"
import { CursorInvalid } from "../../../schema/RequestErrors.ts"
import { longPage } from "../LongPage.ts"

interface Paging {
  readonly limit: number
  readonly cursor?: string | undefined
}

const refused = () => Effect.fail(new CursorInvalid({ message: "cursor: expected the nextCursor of the page before" }))

/**
 * One page of a list that begins with its newest item. `read` is asked for what has a lower id, or for the newest where it is null, and for at most
 * so many; the cursor is the last id of the page before. Items that may be long say how many characters they have, and then fewer may be in a page.
 */
export const newestFirst = Effect.fnUntraced(function* <A, Id extends number, E, R>(
  { limit, cursor }: Paging,
  Id: Schema.Schema<Id, number>,
  idOf: (item: A) => Id,
  read: (below: Id | null, limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>,
  charactersOf: (item: A) => number = () => 0
) {
  const below =
    cursor === undefined ? Option.some(null) : Schema.decodeOption(Schema.compose(Schema.NumberFromString, Id))(cursor)
  if (Option.isNone(below)) return yield* refused()
  const { items, isMore } = yield* longPage(limit, charactersOf, (after: A | null, most) =>
    read(after === null ? below.value : idOf(after), most)
  )
  const last = items.at(-1)
  return { items, nextCursor: isMore && last !== undefined ? String(idOf(last)) : null }
})
