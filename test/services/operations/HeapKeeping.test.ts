import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HeapNode } from "../../../src/adapters/node/Heap.ts"
import type { HeapLook } from "../../../src/domain/operations/HeapLook.ts"
import { Heap } from "../../../src/ports/operations/Heap.ts"
import { HeapKeeping } from "../../../src/services/operations/HeapKeeping.ts"

const mebibytes = 1024 * 1024
const minutes = 60_000

/** A heap that is looked at as told; a collection leaves half. */
const heapOf = (looks: ReadonlyArray<HeapLook>) => {
  const left = [...looks]
  let collected = 0
  const look = Effect.sync((): HeapLook => {
    const [first = { busy: 1, bytes: 0, at: 0 }] = left
    return collected > 0 ? { ...first, bytes: first.bytes / 2 } : first
  })
  const heap = { look, collect: Effect.sync(() => void collected++) }
  return { heap, next: () => void left.shift(), collected: () => collected }
}

const after = Effect.fnUntraced(function* (looks: ReadonlyArray<HeapLook>) {
  const { heap, next } = heapOf(looks)
  return yield* Effect.gen(function* () {
    const { round } = yield* HeapKeeping
    const made: Array<boolean> = []
    for (const _ of looks) {
      made.push(yield* round())
      next()
    }
    return made
  }).pipe(Effect.provide(HeapKeeping.Default.pipe(Layer.provide(Layer.succeed(Heap, heap)))))
})

const cases: ReadonlyArray<readonly [what: string, looks: ReadonlyArray<HeapLook>, made: ReadonlyArray<boolean>]> = [
  ["not while it works", [{ busy: 0.03, bytes: 99 * mebibytes, at: 0 }], [false]],
  ["after the start, once nothing happens", [{ busy: 0.01, bytes: 80 * mebibytes, at: 0 }], [true]],
  [
    "not again within ten minutes",
    [
      { busy: 0, bytes: 80 * mebibytes, at: 0 },
      { busy: 0, bytes: 200 * mebibytes, at: 9 * minutes },
      { busy: 0, bytes: 200 * mebibytes, at: 10 * minutes }
    ],
    [true, false, true]
  ],
  [
    "not for less than 16 MiB",
    [
      { busy: 0, bytes: 80 * mebibytes, at: 0 },
      { busy: 0, bytes: 110 * mebibytes, at: 60 * minutes },
      { busy: 0, bytes: 112 * mebibytes, at: 61 * minutes }
    ],
    [true, false, true]
  ]
]

describe("memory is given back", () => {
  it.effect.each(cases)("%s", ([, looks, made]) =>
    Effect.map(after(looks), (found) => assert.deepStrictEqual(found, made))
  )

  it.effect("by the engine: what nobody holds is gone afterwards", () =>
    Effect.gen(function* () {
      const heap = yield* Heap
      const held = new WeakRef(Array.from({ length: 1000 }, (_, at) => ({ at })))
      // A weak reference is not cleared in the turn in which it was made.
      yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      yield* heap.collect
      assert.isUndefined(held.deref())
      const { busy, bytes } = yield* heap.look
      assert.isTrue(busy >= 0 && busy <= 1 && bytes > 0)
    }).pipe(Effect.provide(HeapNode))
  )
})
