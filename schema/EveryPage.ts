import { Effect } from "effect"

/** What asks for a page that is as long as a page may be: the first one, or the one that the cursor leads to. */
export const pageOf = (cursor: string | undefined) => ({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) })

/** Every item of a list that is answered in pages. */
export const everyPage = <A, E, R>(
  page: (
    cursor: string | undefined
  ) => Effect.Effect<{ readonly items: ReadonlyArray<A>; readonly nextCursor: string | null }, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> => {
  const from = (cursor: string | undefined, before: ReadonlyArray<A>): Effect.Effect<ReadonlyArray<A>, E, R> =>
    Effect.flatMap(page(cursor), ({ items, nextCursor }) => {
      const all = [...before, ...items]
      return nextCursor === null ? Effect.succeed(all) : from(nextCursor, all)
    })
  return from(undefined, [])
}
