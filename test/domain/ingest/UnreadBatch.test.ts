import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { readBatch } from "../../../src/domain/ingest/Batch.ts"
import { keptFor } from "../../../src/domain/ingest/Marker.ts"
import { NamesByType } from "../../../src/domain/ingest/NamesByType.ts"
import { plainBatch } from "../../../src/domain/ingest/UnreadBatch.ts"
import { runCount } from "../../support/Runs.ts"
import { anyMarker, day, receivedAt } from "./Arbitraries.ts"

const terms = { receivedAt, rule: { days: 400, types: { Level: 30 } }, erasedUntil: -Infinity }
const receipt = { receivedAt, ...keptFor(terms.rule) }

const login = (more: object = {}) => ({ timestamp: receivedAt, type: "Login", userId: "ann", value: { a: 1 }, ...more })

const namesOf = (markers: ReadonlyArray<unknown>): NamesByType => {
  const names = new NamesByType()
  for (const { type, arguments: own, properties } of readBatch(markers, receipt).kept)
    names.add(type, Object.keys(own), Object.keys(properties))
  return names
}

const known = namesOf([login()])

describe("a batch of which its terms say everything", () => {
  it("is what reading its markers gives, where every name is known", () => {
    const markers = fc.array(anyMarker, { minLength: 1, maxLength: 20 }).map((all) => [login(), ...all])
    fc.assert(
      fc.property(markers, (all) => {
        const { kept, keptPlaces, rejected, stale, withoutId } = readBatch(all, receipt)
        const read = plainBatch({ markers: all }, terms, namesOf(all))
        assert(read !== null)
        assert.deepStrictEqual(
          { kept, keptPlaces, rejected, stale, withoutId },
          {
            kept: read.kept,
            keptPlaces: read.keptPlaces,
            rejected: read.rejected,
            stale: read.stale,
            withoutId: read.withoutId
          }
        )
      }),
      { numRuns: runCount(300) }
    )
  })

  const others: ReadonlyArray<readonly [string, unknown]> = [
    ["it is no batch", { events: [login()] }],
    ["it has no markers", { markers: [] }],
    ["it has more markers than a batch may have", { markers: Array.from({ length: 1001 }, () => login()) }],
    ["none is kept", { markers: [{ type: "" }, login({ timestamp: receivedAt - 500 * day })] }],
    ["a type is new", { markers: [login(), login({ type: "Logout" })] }],
    ["the name of an argument is new", { markers: [login({ value: { a: 1, b: 1 } })] }],
    ["the name of a property is new", { markers: [login({ properties: { a: 1 } })] }],
    ["a name of every object is new", { markers: [login({ value: { toString: 1 } })] }]
  ]

  it.each(others)("is left to others where %s", (_case, body) => {
    assert.isNull(plainBatch(body, terms, known))
  })

  it("is left to others where a marker names a click", () => {
    const click = login({ value: { gk_click: "c" } })
    assert.isNull(plainBatch({ markers: [click] }, terms, namesOf([click])))
  })

  it("is left to others where markers of that time were erased of somebody, who may be the one", () => {
    const before = { ...terms, erasedUntil: receivedAt }
    assert.isNull(plainBatch({ markers: [login()] }, before, known))
    assert.isNotNull(plainBatch({ markers: [login({ timestamp: receivedAt + 1 })] }, before, known))
    assert.isNotNull(plainBatch({ markers: [login({ userId: null })] }, before, known))
  })
})
