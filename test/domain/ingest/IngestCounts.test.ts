import { assert, describe, it } from "@effect/vitest"
import { readBatch } from "../../../src/domain/ingest/Batch.ts"
import { followedBy, nothingSent, tally, totalOf } from "../../../src/domain/ingest/IngestCounts.ts"
import { day, receipt, receivedAt } from "./Arbitraries.ts"

const login = (timestamp: number, markerId: string) => ({ markerId, timestamp, eventName: "Login" })
const onTime = (markerId: string) => login(receivedAt, markerId)
const late = (markerId: string) => login(receivedAt - 401 * day, markerId)
const early = (markerId: string) => login(receivedAt + day, markerId)

const counts = (markers: ReadonlyArray<unknown>, duplicates: ReadonlyArray<number> = [], isImport = false) =>
  tally(readBatch(markers, { ...receipt, isImport }), duplicates)

describe("counts of a batch", () => {
  it("B8: name duplicate, stale and clamped markers by their place among all that were sent", () => {
    // The store numbers only the kept markers: c is its first, f its fourth.
    const { duplicateMarkers, staleMarkers, clampedMarkers } = counts(
      [late("a"), 7, onTime("c"), early("d"), late("e"), onTime("x"), early("f")],
      [0, 3]
    )
    assert.deepStrictEqual(duplicateMarkers, [
      { index: 2, markerId: "c" },
      { index: 6, markerId: "f" }
    ])
    assert.deepStrictEqual(staleMarkers, [
      { index: 0, markerId: "a" },
      { index: 4, markerId: "e" }
    ])
    assert.deepStrictEqual(clampedMarkers, [{ index: 3, markerId: "d" }])
  })

  it("of an import name as clamped what is clamped now, not what an export says of earlier", () => {
    const longAgo = { ...login(receivedAt - day, "a"), clamped: true }
    const { clampedMarkers, ingestedMarkersCount } = counts([longAgo, early("b"), onTime("c")], [], true)
    assert.deepStrictEqual([clampedMarkers, ingestedMarkersCount], [[{ index: 1, markerId: "b" }], 3])
  })

  it("B8: of an import name the first thousand of each list and count all", () => {
    const part = counts(
      Array.from({ length: 300 }, (_, i) => [7, late(`${i}`), early(`${i}`), onTime(`${i}`)]).flat(),
      Array.from({ length: 300 }, (_, i) => 2 * i + 1)
    )
    const all = Array.from({ length: 5 }, () => part).reduce(followedBy, nothingSent)
    assert.strictEqual(totalOf(all), 6000)
    const lists = [all.rejectedMarkers, all.staleMarkers, all.clampedMarkers, all.duplicateMarkers]
    assert.deepStrictEqual(
      lists.map((list) => list.map(({ index }) => index)),
      [0, 1, 2, 3].map((first) => Array.from({ length: 1000 }, (_, i) => first + 4 * i))
    )
    assert.deepStrictEqual(
      [all.rejectedMarkersCount, all.staleMarkersCount, all.ingestedMarkersCount, all.duplicateMarkersCount],
      [1500, 1500, 1500, 1500]
    )
  })
})
