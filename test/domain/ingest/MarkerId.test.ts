import { FastCheck as fc } from "effect"
import { expect, test } from "vitest"
import { canonicalMarkerId, markerIdOf, markerIdOfDigits } from "../../../src/domain/ingest/MarkerId.ts"
import { runCount } from "../../support/Runs.ts"

test("a marker id is the same of bytes and of their digits, and a UUID of version 4", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const id = markerIdOfDigits(Buffer.from(bytes).toString("hex"))
      expect(id).toBe(markerIdOf(bytes, 0))
      expect(canonicalMarkerId(id)).toBe(id)
      expect(id).toMatch(/^.{14}4.{4}[89ab]/)
    }),
    { numRuns: runCount(500) }
  )
})
