import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { encodeFrame } from "../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { decodePart } from "../../../support/analytics/Decoded.ts"
import { decodeTailBatch, encodeTailBatch } from "../../../../src/adapters/sqlite/events/format/TailBatch.ts"
import { anyEvent, base } from "./Arbitraries.ts"
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
})
