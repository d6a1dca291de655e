import { Effect } from "effect"

/** Items after which others get their turn. */
const portion = 500

/** Does something with each of the items, and lets others have their turn in between. */
export const inSteps = <A>(items: ReadonlyArray<A>, act: (item: A) => void) =>
  Effect.iterate(0, {
    while: (from) => from < items.length,
    body: (from) =>
      Effect.as(
        Effect.zipRight(
          Effect.sync(() => items.slice(from, from + portion).forEach(act)),
          Effect.yieldNow()
        ),
        from + portion
      )
  })
