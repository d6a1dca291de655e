import { Effect, Layer } from "effect"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import type { Stores } from "../TestApp.ts"

/** Stores whose questions wait until the gate opens, and how many of them wait. */
export const gated = (store: Stores) => {
  let isOpen = true
  let waiting: Array<() => void> = []
  let mostAtOnce = 0
  const pass = Effect.async<void>((resume) => {
    if (isOpen) return resume(Effect.void)
    const go = () => resume(Effect.void)
    waiting.push(go)
    mostAtOnce = Math.max(mostAtOnce, waiting.length)
    return Effect.sync(() => {
      waiting = waiting.filter((each) => each !== go)
    })
  })
  const behind = Layer.effect(
    EventStore,
    Effect.map(EventStore, (inner) =>
      EventStore.of({
        ...inner,
        ask: (environmentId, question, watch) => {
          watch?.(() => ({ rowsScanned: 1, rowsTotal: 10 }))
          return Effect.zipRight(pass, inner.ask(environmentId, question, watch))
        }
      })
    )
  )
  return {
    stores: behind.pipe(Layer.provideMerge(store)),
    shut: () => {
      isOpen = false
      mostAtOnce = 0
    },
    open: () => {
      isOpen = true
      for (const go of waiting.splice(0)) go()
    },
    waiting: () => waiting.length,
    mostAtOnce: () => mostAtOnce
  }
}
