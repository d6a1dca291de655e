import { Clock, Effect, Layer } from "effect"
import { performance } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import { Heap } from "../../ports/operations/Heap.ts"
import { collectorOfThread } from "./Collector.ts"

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
    collect: Effect.sync(() => collectorOfThread()())
  }
})
