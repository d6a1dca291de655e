import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { EventStore, StoreFull } from "../../../src/ports/analytics/EventStore.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const marker = (type: string, value: object) => ({ timestamp: Date.now(), type, userId: 1, value })

describe.each(stores)("E2: an environment over %s", (_, store) => {
  const { request } = testApp(store, { markerTypes: 2, markerNamesOfType: 3, markerNames: 4 })

  it("takes so many types and names; markers with further ones are rejected, each by itself", async () => {
    const studio = await openStudio(request, "ada")
    const game = await gameOf(request, studio)
    const first = await game.send([
      marker("A", { a: 1, b: 1 }),
      marker("A", { a: 1, c: 1, d: 1 }),
      marker("A", { a: 1, c: 1 }),
      marker("B", { a: 1, b: 1 }),
      marker("B", { a: 1 }),
      marker("C", {})
    ])
    assert.strictEqual(first.status, 200)
    assert.strictEqual(first.body.ingestedMarkersCount, 3)
    assert.deepStrictEqual(
      first.body.rejectedMarkers.map(({ index, code }: { index: number; code: string }) => [index, code]),
      [
        [1, "TOO_MANY_NAMES"],
        [3, "TOO_MANY_NAMES"],
        [5, "TOO_MANY_TYPES"]
      ]
    )
    const again = await game.send([marker("A", { c: 2, b: 2, a: 2 }), marker("B", { a: 2 })])
    assert.strictEqual(again.body.ingestedMarkersCount, 2)
    const refused = await game.send([marker("B", { b: 1 })])
    assert.deepStrictEqual([refused.status, refused.body.code], [400, "INVALID_MARKERS"])
    assert.include(refused.body.rejectedMarkers[0].reason, "4 names")
  })
})

let isFull = false

const fillable = Layer.effect(
  EventStore,
  Effect.map(EventStore, (inner) =>
    EventStore.of({ ...inner, append: (...given) => (isFull ? new StoreFull() : inner.append(...given)) })
  )
).pipe(Layer.provideMerge(MemoryStores))

describe("names of markers that a full disk has refused", () => {
  const { request } = testApp(fillable, { markerTypes: 2, markerNamesOfType: 3, markerNames: 4 })

  it("take no room", async () => {
    const game = await gameOf(request, await openStudio(request, "ada"))
    assert.strictEqual((await game.send([marker("A", { a: 1 })])).status, 200)
    isFull = true
    const refused = await game.send([marker("A", { b: 1, c: 1 }), marker("B", { a: 1 })])
    assert.deepStrictEqual([refused.status, refused.body.code], [507, "STORAGE_FULL"])
    isFull = false
    const other = await game.send([marker("A", { d: 1, e: 1 }), marker("C", { a: 1 })])
    assert.deepStrictEqual([other.status, other.body.ingestedMarkersCount], [200, 2], other.text)
    const further = await game.send([marker("A", { b: 1 }), marker("B", {})])
    assert.deepStrictEqual([further.status, further.body.code], [400, "INVALID_MARKERS"])
  })
})
