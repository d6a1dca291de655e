import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"

/** A gate in one step of a request, through which the next one goes only once something else is done. */
export interface Gate {
  /** Waits here if this is the next request to be held. Put it where the request has read what it then rests on. */
  readonly pass: Effect.Effect<void>
  /** What the request is answered that was held while `change` was made; `passing` others pass before it. */
  readonly overtaken: <A>(ask: () => Promise<A>, change: () => Promise<unknown>, passing?: number) => Promise<A>
}

/** Makes a gate that stands open. */
export const makeGate = (): Gate => {
  const reached = Effect.unsafeMakeLatch(false)
  const released = Effect.unsafeMakeLatch(false)
  let left: number | null = null
  return {
    pass: Effect.suspend(() => {
      if (left === null || left-- > 0) return Effect.void
      left = null
      return Effect.zipRight(reached.open, released.await)
    }),
    overtaken: async (ask, change, passing = 0) => {
      await Effect.runPromise(Effect.zipRight(reached.close, released.close))
      left = passing
      const asked = ask()
      const missed = asked.then((answer) => assert.fail(`never came to the gate: ${JSON.stringify(answer)}`))
      await Promise.race([Effect.runPromise(reached.await), missed])
      missed.catch(() => undefined)
      try {
        await change()
      } finally {
        await Effect.runPromise(released.open)
      }
      return asked
    }
  }
}

/** The event store with a gate before it stores a batch. */
export const heldMarkers = (gate: Gate) =>
  Layer.effect(
    EventStore,
    Effect.map(EventStore, (store) =>
      EventStore.of({ ...store, append: (...batch) => Effect.zipRight(gate.pass, store.append(...batch)) })
    )
  )
