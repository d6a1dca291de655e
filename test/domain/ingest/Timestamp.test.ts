import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { instantOf } from "../../../src/domain/ingest/Timestamp.ts"
import { runCount } from "../../support/Runs.ts"

const date = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true
})

describe("an instant", () => {
  it("is what was printed", () => {
    fc.assert(
      fc.property(date, fc.integer({ min: -14 * 60, max: 14 * 60 }), (at, offset) => {
        assert.strictEqual(instantOf(at.toISOString()), at.getTime())
        const local = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, 23)
        const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
        const zone = `${offset < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`
        if (/^\d{4}-/.test(local)) assert.strictEqual(instantOf(local + zone), at.getTime())
      }),
      { numRuns: runCount(2000) }
    )
  })

  it("is none where a single character of a printed one is wrong", () => {
    const text = "2026-11-20T10:00:00.250Z"
    for (let i = 0; i < text.length; i++)
      assert.isNull(instantOf(`${text.slice(0, i)}x${text.slice(i + 1)}`), String(i))
  })

  it.each([
    "2026-00-20T10:00:00.000Z",
    "2026-13-20T10:00:00.000Z",
    "2026-11-00T10:00:00.000Z",
    "2026-11-31T10:00:00.000Z",
    "2025-02-29T10:00:00.000Z",
    "1900-02-29T10:00:00.000Z",
    "2026-11-20T10:60:00.000Z",
    "2026-11-20T10:00:60.000Z",
    "2026-11-20T25:00:00.000Z",
    "20261120T100000Z",
    "1700000000000",
    ""
  ])("is not %s", (text) => {
    assert.isNull(instantOf(text))
  })

  it("is a leap day where there is one", () => {
    assert.strictEqual(instantOf("2024-02-29T00:00:00.000Z"), Date.UTC(2024, 1, 29))
    assert.strictEqual(instantOf("2000-02-29T00:00:00Z"), Date.UTC(2000, 1, 29))
  })
})
