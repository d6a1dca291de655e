import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { encodeFrame, frameSteps } from "../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { decodePart } from "../../../support/analytics/Decoded.ts"
import { decodeTailBatch, encodeTailBatch } from "../../../../src/adapters/sqlite/events/format/TailBatch.ts"
import { anyEvent, base } from "./Arbitraries.ts"
import { ended } from "../../../support/Steps.ts"
import { runCount } from "../../../support/Runs.ts"

describe("A frame", () => {
  it("gives back every event it was made of", () =>
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (events) => {
        const frame = encodeFrame(base, events)
        const parts = decodeTailBatch(encodeTailBatch([{ environmentId: 7, firstSequence: 41, skipped: [], frame }]))
        assert.deepStrictEqual(
          parts.flatMap(decodePart),
          events.map((event, index) => ({ ...event, sequence: 41 + index }))
        )
      }),
      { numRuns: runCount(1000) }
    ))

  it("leaves out duplicates and numbers the others without gaps", () =>
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 3, maxLength: 5 }), (events) => {
        const frame = encodeFrame(base, events)
        const decoded = decodePart({ environmentId: 1, firstSequence: 5, skipped: [0, 2], frame })
        const kept = events.filter((_, index) => index !== 0 && index !== 2)
        assert.deepStrictEqual(
          decoded.map(({ markerId }) => markerId),
          kept.map(({ markerId }) => markerId)
        )
        assert.deepStrictEqual(
          decoded.map(({ sequence }) => sequence),
          kept.map((_, index) => 5 + index)
        )
      }),
      { numRuns: runCount(200) }
    ))

  it("of markers with very many values is encoded in steps, to the same bytes", () => {
    const [event] = fc.sample(anyEvent, { numRuns: 1, seed: 7 })
    const wide = Array.from({ length: 1_000 }, (_, n) => ({
      ...event!,
      markerId: crypto.randomUUID(),
      arguments: Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`k${at}`, n * at])),
      properties: {}
    }))
    const { value, count } = ended(frameSteps(base, wide))
    assert.deepStrictEqual(value, encodeFrame(base, wide))
    assert.strictEqual(count, 1 + Math.floor(1_000 / Math.ceil(4_000 / 64)))
    assert.strictEqual(ended(frameSteps(base, wide.slice(0, 50))).count, 1)
  })
})
