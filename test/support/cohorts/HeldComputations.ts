import { Effect, Layer } from "effect"
import { CohortMembers } from "../../../src/ports/cohorts/CohortMembers.ts"
import type { Stores } from "../TestApp.ts"

/**
 * Stores whose computations of members wait to be let go, while they are held: each by itself, in any order. One that is stopped meanwhile ends
 * when it is let go, so that a heartbeat which finds its claim taken over changes nothing of the order.
 */
export const heldComputations = (store: Stores) => {
  const state = { isHeld: false, ended: 0 }
  const waiting: Array<() => void> = []
  const wait = Effect.async<void>((resume) => {
    if (!state.isHeld) return resume(Effect.void)
    const go = () => resume(Effect.void)
    waiting.push(go)
  }).pipe(Effect.uninterruptible)
  const held = Layer.effect(
    CohortMembers,
    Effect.map(CohortMembers, (inner) =>
      CohortMembers.of({
        ...inner,
        recompute: (...asked) =>
          Effect.zipRight(wait, inner.recompute(...asked)).pipe(Effect.ensuring(Effect.sync(() => state.ended++)))
      })
    )
  )
  return {
    stores: held.pipe(Layer.provideMerge(store)),
    hold: () => void (state.isHeld = true),
    waiting: () => waiting.length,
    /** How many have ended, in whichever way. */
    ended: () => state.ended,
    /** Lets the one go that came first, or last. */
    release: (which: "first" | "last") => (which === "first" ? waiting.shift() : waiting.pop())?.(),
    releaseAll: () => {
      state.isHeld = false
      for (const go of waiting.splice(0)) go()
    }
  }
}
