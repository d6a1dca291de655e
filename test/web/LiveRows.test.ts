import { assert, describe, it } from "@effect/vitest"
import type { LiveRow, LiveState } from "../../src/web/markers/LiveRows.ts"
import {
  advance,
  markerRows,
  merged,
  mostRows,
  nothing,
  refusedRows,
  streamedRows
} from "../../src/web/markers/LiveRows.ts"
import { at, busiest, counted, lookBackSeconds, noRates } from "../../src/web/markers/Rates.ts"

const begun = Date.parse("2026-11-22T06:00:00Z")
const instant = (seconds: number) => new Date(begun + seconds * 1000).toISOString()

const marker = (id: string, seconds: number, type = "Login") => ({
  markerId: id,
  type,
  unitId: "ada",
  sessionId: null,
  timestamp: instant(seconds),
  receivedAt: instant(seconds),
  clamped: false,
  arguments: {},
  properties: {},
  position: null
})

const keysOf = (rows: ReadonlyArray<LiveRow>) => rows.map(({ key }) => key)
const arrived = (state: LiveState, ...ids: ReadonlyArray<number>) =>
  advance(state, { kind: "arrived", rows: markerRows(ids.map((id) => marker(String(id), id))) })

describe("rows of live markers", () => {
  it("are the newest first and each once, at most 500", () => {
    const rows = merged(markerRows([marker("a", 1), marker("b", 2)]), markerRows([marker("b", 2), marker("c", 2)]))
    assert.deepStrictEqual(keysOf(rows), ["c", "b", "a"])
    const many = markerRows(Array.from({ length: 600 }, (_, n) => marker(String(n), n)))
    assert.deepStrictEqual([merged([], many).length, merged([], many)[0]?.key], [mostRows, "599"])
  })

  it("say what a second left out, above what it shows", () => {
    const told = { at: instant(1), total: 52, counts: [], others: 52, items: [marker("a", 1)], leftOut: 51 }
    assert.deepStrictEqual(keysOf(merged([], streamedRows(told))), [`more ${instant(1)}`, "a"])
    const refused = { code: "INVALID_TYPE", reason: "No", markerId: null, type: null, unitId: null }
    assert.deepStrictEqual(
      refusedRows({ at: instant(1), items: [refused, refused], leftOut: 0 }).map(({ kind }) => kind),
      ["refused", "refused"]
    )
  })

  it("wait while they are held, and come together afterwards", () => {
    const shown = arrived(nothing, 1, 2)
    const held = arrived(advance(shown, { kind: "held", isHeld: true }), 2, 3)
    assert.deepStrictEqual([keysOf(held.rows), keysOf(held.waiting)], [["2", "1"], ["3"]])
    const released = advance(held, { kind: "held", isHeld: false })
    assert.deepStrictEqual([keysOf(released.rows), released.waiting.length], [["3", "2", "1"], 0])
    assert.deepStrictEqual(keysOf(arrived(advance(nothing, { kind: "held", isHeld: true }), 1).rows), ["1"])
  })
})

describe("rates of live markers", () => {
  const second = begun / 1000
  const told = (seconds: number, ...counts: ReadonlyArray<readonly [type: string, count: number]>) => ({
    at: instant(seconds),
    total: 0,
    others: 0,
    counts: counts.map(([type, count]) => ({ type, count }))
  })

  it("hold the last 60 seconds of each type, and forget who was silent for as long", () => {
    const first = counted(counted(noRates(second), told(1, ["Login", 3], ["Level", 1])), told(3, ["Login", 2]))
    assert.deepStrictEqual(
      busiest(first).map(({ type, total, seconds }) => [type, total, seconds.length, seconds.slice(-3)]),
      [
        ["Login", 5, lookBackSeconds, [3, 0, 2]],
        ["Level", 1, lookBackSeconds, [1, 0, 0]]
      ]
    )
    assert.deepStrictEqual(
      busiest(at(first, second + 62)).map(({ type, total }) => [type, total]),
      [["Login", 2]]
    )
    assert.deepStrictEqual(busiest(at(first, second + 500)), [])
    assert.strictEqual(at(first, second), first)
  })
})
