import { Effect } from "effect"
import { nextTurn } from "../ports/operations/NextTurn.ts"

/** What the steps come to, with a turn of the event loop after each. */
export const inTurns = Effect.fnUntraced(function* <A>(begin: () => Generator<undefined, A>) {
  const steps = begin()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield* nextTurn
  }
})
