import { Clock, Effect, Layer } from "effect"
import { performance } from "node:perf_hooks"
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Heap } from "../../ports/operations/Heap.ts"

/** The engine's own function, which it gives to contexts that are made while it is told to. */
const collector = Effect.sync(() => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  setFlagsFromString("--no-expose-gc")
  return collect
})

/** The heap of this thread. */
export const HeapNode = Layer.sync(Heap, () => {
  let before = performance.eventLoopUtilization()
  return {
    look: Effect.map(Clock.currentTimeMillis, (at) => {
      const now = performance.eventLoopUtilization()
      const { utilization: busy } = performance.eventLoopUtilization(now, before)
      before = now
      return { busy, bytes: getHeapStatistics().used_heap_size, at }
    }),
    collect: Effect.map(collector, (collect) => {
      if (typeof collect === "function") Reflect.apply(collect, undefined, [])
    })
  }
})
