import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { KnownShapes } from "../../../../../src/adapters/sqlite/events/format/KnownShapes.ts"
import { PlainBody } from "../../../../../src/adapters/sqlite/events/format/PlainBody.ts"
import { readBatch, withMarkerIds } from "../../../../../src/domain/ingest/Batch.ts"
import { keptFor } from "../../../../../src/domain/ingest/Marker.ts"
import { NamesByType } from "../../../../../src/domain/ingest/NamesByType.ts"
import { plainBatch } from "../../../../../src/domain/ingest/UnreadBatch.ts"
import { anyMarker, day, receivedAt } from "../../../../domain/ingest/Arbitraries.ts"
import { anyCharacter } from "../../../../support/AnyText.ts"
import { expectedCount, runCount } from "../../../../support/Runs.ts"

const terms = { receivedAt, rule: { days: 400, types: { Level: 30 } }, erasedUntil: -Infinity }
const receipt = { receivedAt, ...keptFor(terms.rule) }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const namesOf = (markers: ReadonlyArray<unknown>): NamesByType => {
  const names = new NamesByType()
  for (const { type, arguments: own, properties } of readBatch(markers, receipt).kept)
    names.add(type, Object.keys(own), Object.keys(properties))
  return names
}

const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text))

/** What the frame of a body is by definition; null where some marker is not kept, or where others have to read it. */
const definedOf = (text: string, names: NamesByType) => {
  const batch = plainBatch(parsed(text), terms, names)
  if (batch === null || batch.rejected.length + batch.stale.length + batch.withoutId > 0) return null
  const events = withMarkerIds(batch.kept, new Uint8Array())
  return {
    count: events.length,
    types: [...new Set(events.map(({ type }) => type))],
    frame: encodeFrame(receivedAt, events)
  }
}

const marker = (more: object = {}) => ({
  markerId: "0b5a6f5e-7f5c-4b1e-9d7a-0123456789ab",
  timestamp: receivedAt,
  eventName: "Login",
  distinctId: "ann",
  ...more
})

const numbers = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e5, max: 1e5, noNaN: true }),
  fc.integer({ min: -100_000, max: 100_000 }).map((n) => n / 100),
  fc.constantFrom(-0, 0, 0.1, -0.001, 2 ** 51, 2 ** 53, 1e15, 123456789012345.6)
)
const plainTexts = fc.string({ unit: fc.constantFrom(..."abcXYZ 019-_.:/{}[],"), maxLength: 60 })
const texts = fc.oneof(
  { weight: 400, arbitrary: plainTexts },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) }
)
const values = fc.oneof(numbers, fc.boolean(), texts, fc.constantFrom("level", "a", "Login", "", null))
const names = fc.constantFrom("level", "a", "b", "seconds", "platform", "$os", "country")
const ids = fc.oneof(texts, fc.nat(), fc.constantFrom<string | number | null>("ann", "bob", 0, "7", 7, null))
const bags = fc.array(fc.tuple(names, values), { maxLength: 6 }).map((entries) => Object.fromEntries(entries))

const likelyMarker = fc
  .tuple(
    fc.uuid(),
    fc.constantFrom(receivedAt, receivedAt - 5, receivedAt - day, "2026-11-20T10:00:00.250Z", "2026-11-20T10:00:00Z"),
    fc.constantFrom("Login", "Level"),
    fc.record({ distinctId: ids, sessionId: ids, serverId: ids }, { requiredKeys: [] }),
    fc.boolean(),
    bags,
    bags
  )
  .map(([markerId, timestamp, type, who, isMixed, own, properties]) =>
    isMixed
      ? { markerId, timestamp, eventName: type, ...who, properties: { ...own, ...properties } }
      : { ...who, type, value: own, timestamp, properties, markerId }
  )

describe("the frame of a body of plain markers", () => {
  it("is that of the markers as they are read one by one", () => {
    const plain = new PlainBody()
    let taken = 0
    const bodies = fc.tuple(
      fc.array(likelyMarker, { minLength: 1, maxLength: 12 }),
      fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: anyMarker }),
      fc.constantFrom(undefined, 1, "\t")
    )
    fc.assert(
      fc.property(bodies, ([some, other, space]) => {
        const markers = other === null ? some : [...some, other]
        const text = JSON.stringify({ markers }, null, space)
        const known = namesOf(markers)
        const shapes = new KnownShapes(known)
        for (let turn = 0; turn < 2; turn++) {
          const read = plain.read({ ...terms, bytes: bytesOf(text) }, shapes)
          if (read === null) continue
          taken++
          assert.deepStrictEqual(read, definedOf(text, known))
        }
      }),
      { numRuns: runCount(1000) }
    )
    assert.isAbove(taken, expectedCount(400))
  })

  it("is taken of none that JSON or the markers forbid", () => {
    const plain = new PlainBody()
    const good = JSON.stringify({ markers: [marker({ properties: { level: 1, a: "b" } }), marker()] })
    const known = namesOf([marker({ properties: { level: 1, a: "b" } })])
    const shapes = new KnownShapes(known)
    assert.isNotNull(plain.read({ ...terms, bytes: bytesOf(good) }, shapes))
    const changes = fc.tuple(
      fc.nat(good.length),
      fc.nat(3),
      fc.oneof(fc.constantFrom(...'{}[]",:\\0123456789.-eE \n\u0000\u007fé', ""), fc.string({ maxLength: 3 }))
    )
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 2 }), (all) => {
        const text = all.reduce(
          (before, [at, length, piece]) => before.slice(0, at) + piece + before.slice(at + length),
          good
        )
        const read = plain.read({ ...terms, bytes: bytesOf(text) }, shapes)
        if (read !== null) assert.deepStrictEqual(read, definedOf(text, known))
      }),
      { numRuns: runCount(3000) }
    )
  })

  const left: ReadonlyArray<readonly [string, object]> = [
    ["lies before its retention", { timestamp: receivedAt - 401 * day }],
    ["lies in the future", { timestamp: receivedAt + 600_001 }],
    ["has no id", { markerId: undefined }],
    ["has a new type", { eventName: "Logout" }],
    ["has a new name", { properties: { level: 1, b: 1 } }],
    ["has a name in other hands", { eventName: undefined, type: "Login", properties: { level: 1 } }],
    ["names a click", { properties: { gk_click: "c" } }],
    ["has a position", { properties: { position: [1, 2, 3] } }],
    ["has too long a text", { properties: { a: "x".repeat(8200) } }],
    ["has too long an id", { distinctId: "x".repeat(257) }],
    ["has no type", { eventName: undefined }],
    ["has values twice", { value: {} }]
  ]

  it.each(left)("is left where a marker %s", (_case, more) => {
    const known = namesOf([marker({ properties: { level: 1, a: "b", position: [1, 2, 3], gk_click: "c" } })])
    const text = JSON.stringify({ markers: [marker(), marker(more)] })
    assert.isNull(new PlainBody().read({ ...terms, bytes: bytesOf(text) }, new KnownShapes(known)))
  })

  it("is left where a marker may be of somebody who was erased", () => {
    const bytes = bytesOf(JSON.stringify({ markers: [marker()] }))
    const shapes = new KnownShapes(namesOf([marker()]))
    const read = (erasedUntil: number) => new PlainBody().read({ ...terms, bytes, erasedUntil }, shapes)
    assert.isNull(read(receivedAt))
    assert.isNotNull(read(receivedAt - 1))
  })

  it("forgets shapes of which there are too many, and goes on", () => {
    const plain = new PlainBody()
    const all = Array.from({ length: 12 }, (_, n) => `name${n}`)
    const known = new NamesByType()
    known.add("Login", all, [])
    const shapes = new KnownShapes(known)
    for (let n = 0; n < 60; n++) {
      const markers = Array.from({ length: 30 }, (_, at) => {
        const names = all.toSorted((a, b) => ((a.length * n + at * Number(b.slice(4))) % 7) - 3)
        return marker({ properties: Object.fromEntries(names.slice(at % 5).map((name) => [name, at])) })
      })
      const text = JSON.stringify({ markers })
      assert.deepStrictEqual(plain.read({ ...terms, bytes: bytesOf(text) }, shapes), definedOf(text, known))
      assert.isBelow(shapes.bytes, 4_000_000)
    }
  })
})
