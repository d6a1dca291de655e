import { assert, describe, it } from "@effect/vitest"
import { browserZone, clockText, hourText, momentText, zonedText } from "../../src/web/text/Times.ts"

const at = "2026-11-26T00:21:07.000Z"

describe("instants in words", () => {
  it("end with their zone where the project or the browser has another time of day", () => {
    const own = browserZone()
    const foreign = momentText(at, "Asia/Tokyo") === momentText(at, own) ? "America/Lima" : "Asia/Tokyo"
    const name = foreign === "Asia/Tokyo" ? "GMT+9" : "GMT-5"
    assert.strictEqual(zonedText(at, own, own), momentText(at, own))
    assert.strictEqual(zonedText(at, foreign, foreign), `${momentText(at, foreign)} ${name}`)
    assert.match(zonedText(at, own, foreign), new RegExp(`^${momentText(at, own)} \\S+$`))
    assert.strictEqual(zonedText(at, foreign, foreign, clockText), `${clockText(at, foreign)} ${name}`)
    assert.strictEqual(zonedText(at, "UTC", "Asia/Tokyo", hourText), "Thu 26 Nov 00:21 UTC")
  })
})
