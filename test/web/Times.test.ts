import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import {
  bucketName,
  browserZone,
  clockText,
  hourText,
  momentText,
  stampText,
  zonedText
} from "../../src/web/text/Times.ts"

const at = "2026-11-26T00:21:07.000Z"

describe("instants in words", () => {
  beforeEach(() => void vi.setSystemTime(at))
  afterEach(() => void vi.useRealTimers())

  it("have their year where it is not the present one, which the zone decides", () => {
    const named = (instant: string, zone = "UTC") => [bucketName(instant, "day", zone), hourText(instant, zone)]
    assert.deepStrictEqual(named("2026-01-01T00:00:00Z"), ["Thu 1 Jan", "Thu 1 Jan 00:00"])
    assert.deepStrictEqual(named("2025-11-26T00:21:00Z"), ["Wed 26 Nov 2025", "Wed 26 Nov 2025 00:21"])
    assert.deepStrictEqual(named("2026-01-01T00:00:00Z", "America/Lima"), ["Wed 31 Dec 2025", "Wed 31 Dec 2025 19:00"])
    assert.deepStrictEqual(named("2027-01-01T00:00:00Z", "UTC"), ["Fri 1 Jan 2027", "Fri 1 Jan 2027 00:00"])
    assert.strictEqual(bucketName("2025-11-24T00:00:00Z", "week", "UTC"), "Week of 24 Nov 2025")
    assert.strictEqual(bucketName("2025-11-01T00:00:00Z", "month", "UTC"), "November 2025")
  })

  it("name the zone of an hour that comes twice, and of no other", () => {
    const named = (instant: string, zone: string) => bucketName(instant, "hour", zone)
    assert.deepStrictEqual(
      ["2026-10-24T23:00:00Z", "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"].map((instant) =>
        named(instant, "Europe/Berlin")
      ),
      ["Sun 25 Oct 01:00", "Sun 25 Oct 02:00 CEST", "Sun 25 Oct 02:00 CET", "Sun 25 Oct 03:00"]
    )
    assert.strictEqual(named("2026-10-25T00:30:00Z", "Asia/Kolkata"), "Sun 25 Oct 06:00")
    assert.strictEqual(bucketName("2026-10-25T00:00:00Z", "day", "Europe/Berlin"), "Sun 25 Oct")
  })

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
