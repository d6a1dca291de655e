import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { IncomingMarker } from "../../../src/domain/ingest/Marker.ts"
import { withMarkerIds, readBatch } from "../../../src/domain/ingest/Batch.ts"
import { anyMarker, day, receipt, receivedAt } from "./Arbitraries.ts"
import { runCount } from "../../support/Runs.ts"

const id = "0190b5c2-7f3a-4d21-9c4e-5b6f7a8b9c0d"
const at = "2026-11-20T10:00:00.250Z"

const read = (marker: unknown) => readBatch([marker], receipt)

const kept = (marker: unknown): IncomingMarker => {
  const { kept: markers, rejected } = read(marker)
  assert.deepStrictEqual(rejected, [])
  return markers[0]!
}

const login = (rest: object): object => ({ markerId: id, timestamp: at, eventName: "Login", ...rest })

/** The dialect that says everything a marker holds. */
const sent = (incoming: IncomingMarker) => ({
  markerId: incoming.markerId,
  timestamp: new Date(incoming.timestamp).toISOString(),
  type: incoming.type,
  value: incoming.arguments,
  properties:
    incoming.position === null ? incoming.properties : { ...incoming.properties, position: incoming.position },
  userId: incoming.unitId,
  serverId: incoming.serverId,
  sessionId: incoming.sessionId
})

describe("dialects", () => {
  const facts = {
    markerId: id,
    timestamp: Date.parse(at),
    receivedAt,
    clamped: false,
    type: "Purchase",
    sessionId: "s1",
    position: [1, 2, 3]
  }
  const common = { markerId: id, timestamp: at, sessionId: "s1" }
  const mixed = { price: 5, item: { id: "sword" }, platform: "ios", $os: "17", position: [1, 2, 3] }

  it("splits what a client sends with distinctId", () => {
    assert.deepEqual(kept({ ...common, eventName: "Purchase", distinctId: "p1", properties: mixed }), {
      ...facts,
      unitId: "p1",
      serverId: null,
      arguments: { price: 5, "item.id": "sword" },
      properties: { platform: "ios", $os: "17" }
    } as unknown as IncomingMarker)
  })

  it("splits what a game server sends with userId and serverId", () => {
    assert.deepEqual(kept({ ...common, eventName: "Purchase", userId: 77, serverId: "srv", properties: mixed }), {
      ...facts,
      unitId: "77",
      serverId: "srv",
      arguments: { price: 5, "item.id": "sword" },
      properties: { platform: "ios", $os: "17" }
    } as unknown as IncomingMarker)
  })

  it("keeps value and properties apart where a type names the marker", () => {
    const properties = { platform: "ios", anything: true, position: { x: 1, y: 2, z: 3 } }
    assert.deepEqual(
      kept({ ...common, type: "Purchase", userId: 77, value: { price: 5, country: "own" }, properties }),
      {
        ...facts,
        unitId: "77",
        serverId: null,
        arguments: { price: 5, country: "own" },
        properties: { platform: "ios", anything: true }
      } as unknown as IncomingMarker
    )
    for (const value of [3, "three", false, ["a", 1]]) {
      assert.deepEqual(kept({ ...common, type: "Purchase", value }).arguments, { value })
    }
  })

  it("needs no properties, unit, session or server", () => {
    const { unitId, sessionId, serverId, position, ...rest } = kept(login({ properties: null, distinctId: "" }))
    assert.deepStrictEqual(
      { unitId, sessionId, serverId, position },
      {
        unitId: null,
        sessionId: null,
        serverId: null,
        position: null
      }
    )
    assert.deepEqual(rest.arguments, {})
  })
})

describe("fields", () => {
  it("writes marker ids in one form and replaces what is no UUID", () => {
    for (const markerId of [id, id.toUpperCase(), id.replaceAll("-", ""), id.replaceAll("-", "").toUpperCase()]) {
      assert.strictEqual(kept(login({ markerId })).markerId, id)
    }
    for (const markerId of ["m-1", 7, null, undefined, id.replace("-", ""), `${id} `, {}]) {
      assert.strictEqual(kept(login({ markerId })).markerId, null)
    }
  })

  it("draws a fresh id for every marker without one and leaves the others", () => {
    const { kept: markers, withoutId } = readBatch(
      [login({}), login({ markerId: "x" }), login({ markerId: "y" })],
      receipt
    )
    assert.strictEqual(withoutId, 2)
    const random = Uint8Array.from({ length: 32 }, (_, i) => i)
    assert.deepStrictEqual(
      withMarkerIds(markers, random).map(({ markerId }) => markerId),
      [id, "00010203-0405-4607-8809-0a0b0c0d0e0f", "10111213-1415-4617-9819-1a1b1c1d1e1f"]
    )
  })

  it.each([
    ["2026-11-20T10:00:00Z", Date.UTC(2026, 10, 20, 10)],
    ["2026-11-20t10:00:00.5z", Date.UTC(2026, 10, 20, 10, 0, 0, 500)],
    ["2026-11-20T10:00:00+02:30", Date.UTC(2026, 10, 20, 7, 30)],
    ["2026-11-20T10:00-05:00", Date.UTC(2026, 10, 20, 15)],
    ["2026-11-20T10:00:00.123456Z", Date.UTC(2026, 10, 20, 10, 0, 0, 123)],
    [Date.UTC(2026, 10, 20), Date.UTC(2026, 10, 20)],
    [Date.UTC(2026, 10, 20) / 1000, Date.UTC(2026, 10, 20)],
    [Date.UTC(2026, 10, 20) / 1000 + 0.25, Date.UTC(2026, 10, 20) + 250]
  ])("reads %s as an instant", (timestamp, instant) => {
    assert.strictEqual(kept(login({ timestamp })).timestamp, instant)
  })

  it("clamps and flags what lies more than ten minutes ahead", () => {
    const ahead = (milliseconds: number) => {
      const { timestamp, clamped } = kept(login({ timestamp: receivedAt + milliseconds }))
      return [timestamp - receivedAt, clamped]
    }
    assert.deepStrictEqual(ahead(600_000), [600_000, false])
    assert.deepStrictEqual(ahead(600_001), [0, true])
  })

  it("believes that a marker was clamped where it is imported, and of a game nothing but the time", () => {
    const flags = (isImport: boolean) =>
      readBatch(
        [true, false, null, undefined].map((clamped) => login({ clamped })),
        { ...receipt, isImport }
      ).kept.map(({ timestamp, clamped }) => [timestamp, clamped])
    const time = Date.parse(at)
    assert.deepStrictEqual(
      flags(true),
      [true, false, false, false].map((clamped) => [time, clamped])
    )
    assert.deepStrictEqual(
      flags(false),
      Array.from({ length: 4 }, () => [time, false])
    )
  })

  it("counts as stale what is older than the retention", () => {
    const age = (milliseconds: number) => read(login({ timestamp: receivedAt - milliseconds })).stale.length
    assert.deepStrictEqual([age(400 * day), age(400 * day + 1)], [0, 1])
    assert.strictEqual(read(login({ timestamp: -5 })).stale.length, 1)
  })

  it("keeps the decimal text of numeric ids", () => {
    const unit = (userId: unknown) => kept(login({ userId })).unitId
    assert.deepStrictEqual([unit(9007199254740991), unit(-0), unit("007")], ["9007199254740991", "0", "007"])
  })

  it("keeps a scalar called position as a property", () => {
    const incoming = kept(login({ properties: { position: 3 } }))
    assert.deepEqual([incoming.position, incoming.properties], [null, { position: 3 }])
  })

  it("treats names of the language like any other", () => {
    const { arguments: own } = kept(JSON.parse(`{"timestamp":"${at}","eventName":"E","properties":{"__proto__":1}}`))
    assert.deepStrictEqual(Object.entries(own), [["__proto__", 1]])
    assert.deepStrictEqual([own["constructor"], own["toString"]], [undefined, undefined])
  })

  it("replaces lone surrogates", () => {
    const incoming = kept(login({ distinctId: "a\ud800", properties: { "b\udc00": "\ud83d", c: "😀" } }))
    assert.strictEqual(incoming.unitId, "a\ufffd")
    assert.deepEqual(incoming.arguments, { "b\ufffd": "\ufffd", c: "😀" })
  })
})

describe("any batch", () => {
  it("never throws, and every marker is in exactly one count", () => {
    fc.assert(
      fc.property(fc.array(anyMarker, { maxLength: 6 }), (all) => {
        const { kept: markers, keptPlaces, rejected, stale, withoutId } = readBatch(all, receipt)
        assert.deepStrictEqual(
          [...keptPlaces, ...rejected, ...stale].map(({ index }) => index).toSorted((a, b) => a - b),
          all.map((_, index) => index)
        )
        assert.strictEqual(keptPlaces.length, markers.length)
        assert.strictEqual(withoutId, markers.filter(({ markerId }) => markerId === null).length)
        assert.deepStrictEqual(
          rejected.map(({ index }) => index),
          rejected.map(({ index }) => index).toSorted((a, b) => a - b)
        )
      }),
      { numRuns: runCount(5000) }
    )
  })

  it("leaves what it has normalized as it is", () => {
    let compared = 0
    fc.assert(
      fc.property(anyMarker, (marker) => {
        for (const incoming of read(marker).kept) {
          compared++
          assert.deepEqual(kept(sent(incoming)), { ...incoming, clamped: false })
        }
      }),
      { numRuns: runCount(5000) }
    )
    assert.isAbove(compared, runCount(1000))
  })

  it("holds no value that JSON or UTF-8 could not carry", () => {
    fc.assert(
      fc.property(anyMarker, (marker) => {
        for (const incoming of read(marker).kept) {
          const text = JSON.stringify(incoming)
          assert.deepEqual(JSON.parse(text), incoming)
          assert.strictEqual(Buffer.from(text).toString(), text)
        }
      }),
      { numRuns: runCount(2000) }
    )
  })
})
