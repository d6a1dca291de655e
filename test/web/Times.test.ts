import { assert, describe, it } from "@effect/vitest"
import { browserZone, clockText, hourText, momentText, stampText, zonedText } from "../../src/web/text/Times.ts"

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

describe("an instant in a table for other programs", () => {
  it.each([
    ["2026-11-24T23:00:00.000Z", "Europe/Berlin", "2026-11-25T00:00+01:00"],
    ["2026-11-22T15:00:00.000Z", "Asia/Tokyo", "2026-11-23T00:00+09:00"],
    ["2026-11-01T04:00:00.000Z", "America/New_York", "2026-11-01T00:00-04:00"],
    ["2026-10-25T00:00:00.000Z", "Europe/Berlin", "2026-10-25T02:00+02:00"],
    ["2026-10-25T01:00:00.000Z", "Europe/Berlin", "2026-10-25T02:00+01:00"],
    ["2026-10-25T01:00:00.000Z", "UTC", "2026-10-25T01:00+00:00"]
  ] as const)("is the day and the hour of the project: %s in %s", (instant, timeZone, stamp) => {
    assert.strictEqual(stampText(instant, timeZone), stamp)
  })
})
