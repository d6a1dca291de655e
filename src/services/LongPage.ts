import { Effect } from "effect"
import { nextTurn } from "../ports/operations/NextTurn.ts"

/** Characters after which a page takes no further item, however many were asked for. */
export const mostPageCharacters = 4 * 1024 * 1024

/** Items that are read at once: each may have a megabyte. */
const portion = 50

/**
 * A page of at most `limit` items that are as long together as an answer may be; at least one, where there is one. `read` answers at most so many that
 * come after an item, null: the first. `isMore` says whether there are others after the page.
 */
export const longPage = Effect.fnUntraced(function* <A, E, R>(
  limit: number,
  charactersOf: (item: A) => number,
  read: (after: A | null, most: number) => Effect.Effect<ReadonlyArray<A>, E, R>
) {
  const items: Array<A> = []
  let characters = 0
  for (;;) {
    const most = Math.min(portion, limit + 1 - items.length)
    const found = yield* read(items.at(-1) ?? null, most)
    for (const item of found) {
      characters += charactersOf(item)
      if (items.length === limit || (items.length > 0 && characters > mostPageCharacters))
        return { items, isMore: true }
      items.push(item)
    }
    if (found.length < most) return { items, isMore: false }
    yield* nextTurn
  }
})
