import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { canonical } from "../../../src/domain/configuration/Canonical.ts"
import type { Json } from "../../../src/domain/configuration/Document.ts"
import { targets } from "../../../src/domain/configuration/Link.ts"
import { excessOf, excessOfTextSteps } from "../../../src/domain/configuration/Size.ts"
import { countedDocument } from "../../support/configuration/CountedDocument.ts"
import { json } from "../../support/configuration/Documents.ts"
import { runCount } from "../../support/Runs.ts"
import { ended } from "../../support/Steps.ts"

const levelsOf = (value: Json): number =>
  typeof value !== "object" || value === null
    ? 0
    : 1 + Math.max(0, ...Object.values<Json>(value).map((each) => levelsOf(each)))

const anyJson = FastCheck.oneof(
  json,
  FastCheck.jsonValue({ stringUnit: "binary" }).map((value): Json => JSON.parse(JSON.stringify(value)))
)

describe("the size of a document", () => {
  it("is what its canonical text has in UTF-8, and its levels those that are in one another", () => {
    FastCheck.assert(
      FastCheck.property(anyJson, (value) => {
        const bytes = Buffer.byteLength(canonical(value))
        const levels = levelsOf(value)
        assert.strictEqual(excessOf(value, { bytes, levels }), null)
        assert.strictEqual(excessOf(value, { bytes: bytes - 1, levels }), "bytes")
        if (levels > 0) assert.strictEqual(excessOf(value, { bytes, levels: levels - 1 }), "levels")
        assert.strictEqual(excessOf(value, { bytes: bytes - 1, levels: -1 }), "bytes")
        const text = JSON.stringify(value)
        for (const limits of [
          { bytes, levels },
          { bytes: bytes - 1, levels },
          { bytes, levels: Math.max(0, levels - 1) }
        ]) {
          assert.strictEqual(ended(excessOfTextSteps(text, limits)).value, excessOf(value, limits))
        }
      }),
      { numRuns: runCount(500) }
    )
  })

  it("E8: is found in one pass, and so is what it links to", () => {
    const { document, seen } = countedDocument(5_000)
    assert.strictEqual(excessOf(document, { bytes: 1_000_000, levels: 64 }), null)
    assert.strictEqual(seen.passes, 1)
    for (let time = 0; time < 3; time++) assert.deepStrictEqual(targets(document), [])
    assert.strictEqual(seen.passes, 2)
  })
})
