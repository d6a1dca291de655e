import { Effect } from "effect"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"

/** Items after which others get their turn. */
const portion = 500

/** Does something with each of the items, and lets requests that came meanwhile have their turn in between. */
export const inSteps = <A>(items: ReadonlyArray<A>, act: (item: A) => void) =>
  Effect.iterate(0, {
    while: (from) => from < items.length,
    body: (from) =>
      Effect.as(
        Effect.zipRight(
          Effect.sync(() => items.slice(from, from + portion).forEach(act)),
          nextTurn
        ),
        from + portion
      )
  })
