import { Effect, Ref } from "effect"
import { isTimeToCollect, type LastCollection } from "../../domain/operations/HeapLook.ts"
import { Heap } from "../../ports/operations/Heap.ts"

/** Gives back the memory of what a start or a busy hour has left, once nothing happens any more. */
export class HeapKeeping extends Effect.Service<HeapKeeping>()("services/operations/HeapKeeping", {
  effect: Effect.gen(function* () {
    const heap = yield* Heap
    const last = yield* Ref.make<LastCollection>(null)

    /** Looks, and collects garbage if it is time to; whether it did. */
    const round = Effect.fnUntraced(function* () {
      if (!isTimeToCollect(yield* heap.look, yield* Ref.get(last))) return false
      yield* heap.collect
      yield* Ref.set(last, yield* heap.look)
      return true
    })

    return { round } as const
  })
}) {}
