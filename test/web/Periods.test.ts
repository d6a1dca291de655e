import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { resolve } from "../../src/domain/analytics/time/TimeRange.ts"
import { areOver, timeOfResults } from "../../src/web/deeplinks/ResultsState.ts"
import { addDays, addMonths, daysInMonth, isDay, today, weekdayOf } from "../../src/web/builder/Days.ts"
import {
  dayStart,
  daysOf,
  endsNow,
  movedPeriod,
  periodOf,
  periodText,
  timeBefore,
  timeBody
} from "../../src/web/builder/Period.ts"
import { typedPeriod } from "../../src/web/builder/TypedPeriod.ts"

const now = "2026-11-22"
const day = fc.integer({ min: 0, max: 30_000 }).map((count) => addDays("1970-01-01", count))

describe("periods of the dashboard", () => {
  const typed: ReadonlyArray<readonly [text: string, period: string | null]> = [
    ["3 weeks", "3w"],
    ["last 90 days", "90d"],
    ["Day", "1d"],
    ["24h", "24h"],
    ["6 months", "6mo"],
    ["2 years", "2y"],
    ["today", "2026-11-22..2026-11-22"],
    ["Yesterday", "2026-11-21..2026-11-21"],
    ["2026-10-01", "2026-10-01..2026-10-01"],
    ["Oct 1 - now", "2026-10-01.."],
    ["1 October 2026 to today", "2026-10-01.."],
    ["Oct 1 - Oct 14", "2026-10-01..2026-10-14"],
    ["1st Oct – 14 oct", "2026-10-01..2026-10-14"],
    ["Dec 24", "2025-12-24..2025-12-24"],
    ["September", "2026-09-01..2026-09-30"],
    ["feb 2024", "2024-02-01..2024-02-29"],
    ["Feb 30", null],
    ["2026-02-30", null],
    ["0 days", null],
    ["Oct 14 - Oct 1", null],
    ["2026-12-01 - now", null],
    ["Oct 1 - Oct 2 - Oct 3", null],
    ["soon", null],
    ["", null]
  ]
  it.each(typed)("“%s” is %s", (text, period) => {
    const read = typedPeriod(text, now)
    assert.strictEqual(read === null ? null : periodText(read), period)
  })

  const moves: ReadonlyArray<readonly [period: string, by: -1 | 1, to: string]> = [
    ["7d", -1, "2026-11-07..2026-11-14"],
    ["1mo", -1, "2026-09-20..2026-10-21"],
    ["7d", 1, "7d"],
    ["2026-11-09..2026-11-15", 1, "2026-11-16..2026-11-22"],
    ["2026-11-10..2026-11-16", 1, "2026-11-16..2026-11-22"],
    ["2026-11-21..2026-11-21", -1, "2026-11-20..2026-11-20"],
    ["24h", -1, "2026-11-21..2026-11-21"],
    ["2026-11-15..", -1, "2026-11-07..2026-11-14"]
  ]
  it.each(moves)("%s moved by %s is %s", (period, by, to) => {
    assert.strictEqual(periodText(movedPeriod(periodOf(period) ?? { kind: "since", from: now }, by, now)), to)
  })

  it.each([
    "24h",
    "7d",
    "3mo",
    "2026-11-22..2026-11-22",
    "2026-11-01..2026-11-22",
    "2026-11-01..2026-12-01",
    "2026-11-01.."
  ])("%s takes the markers of now", (period) =>
    assert.isTrue(endsNow(periodOf(period) ?? { kind: "dates", from: "", to: "" }, now))
  )
  it.each(["7d,past", "2026-11-01..2026-11-21"])("%s takes none of them", (period) =>
    assert.isFalse(endsNow(periodOf(period) ?? { kind: "since", from: now }, now))
  )

  it("without today ends with yesterday, and has as many days", () => {
    assert.deepStrictEqual(daysOf({ kind: "past", step: "day", value: 7 }, now), {
      from: "2026-11-15",
      to: "2026-11-21"
    })
    assert.deepStrictEqual(daysOf({ kind: "past", step: "month", value: 1 }, "2026-03-31"), {
      from: "2026-02-28",
      to: "2026-03-30"
    })
    const asked = timeBody({ kind: "past", step: "day", value: 1 }, "hour", "Asia/Tokyo")
    assert.deepStrictEqual(asked, {
      step: "hour",
      from: new Date(Date.parse(`${addDays(today("Asia/Tokyo"), -1)}T00:00:00+09:00`)).toISOString(),
      to: new Date(Date.parse(`${today("Asia/Tokyo")}T00:00:00+09:00`)).toISOString()
    })
  })

  it("last days are those that the server answers: so many, and today", () => {
    assert.deepStrictEqual(daysOf({ kind: "relative", step: "day", value: 7 }, now), { from: "2026-11-15", to: now })
    assert.deepStrictEqual(daysOf({ kind: "relative", step: "month", value: 6 }, "2026-08-31").from, "2026-02-28")
  })

  it("results of a deeplink are of the same time as questions, up to the hour of now", () => {
    const at = Date.parse("2026-11-22T00:10:00+01:00")
    const spanOf = (text: string) => {
      const period = periodOf(text) ?? { kind: "since", from: now }
      const { from, to } = timeOfResults(period, "Europe/Berlin", now, at)
      return [from, to]
    }
    assert.deepStrictEqual(spanOf("24h"), ["2026-11-20T23:00:00.000Z", "2026-11-22T00:00:00.000Z"])
    assert.deepStrictEqual(spanOf("7d"), ["2026-11-14T23:00:00.000Z", "2026-11-22T23:00:00.000Z"])
    assert.deepStrictEqual(spanOf(`${now}..`), ["2026-11-21T23:00:00.000Z", "2026-11-22T23:00:00.000Z"])
    const hours = ["2026-11-21T22:00:00.000Z", "2026-11-21T23:00:00.000Z", "2026-11-22T00:00:00.000Z"]
    assert.deepStrictEqual(areOver(hours, "2026-11-22T01:00:00.000Z", at), [true, false, false])
  })

  it("however long, has days that a calendar can show", () => {
    for (const step of ["day", "week", "month", "year"] as const) {
      for (const kind of ["relative", "past"] as const) {
        const period = { kind, step, value: 9999 }
        const { from, to } = daysOf(period, now)
        assert.isTrue(isDay(from) && isDay(to), `${kind} ${step} ${from}`)
        assert.isTrue(isDay(daysOf(movedPeriod(period, -1, now), now).from), `${kind} ${step} moved`)
        assert.doesNotThrow(() => timeBody(period, "month", "Europe/Berlin", now))
      }
    }
    assert.deepStrictEqual([addMonths("9999-12-31", 1), addMonths("0000-01-31", -1)], ["9999-12-31", "0000-01-31"])
  })

  it("days follow each other as in any calendar", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -500, max: 500 }), (from, count) => {
        const to = addDays(from, count)
        assert.isTrue(isDay(to))
        assert.strictEqual(addDays(to, -count), from)
        assert.strictEqual(weekdayOf(to), (((weekdayOf(from) + count) % 7) + 7) % 7)
        const month = addMonths(from, count)
        assert.isTrue(isDay(month))
        assert.isAtMost(Number(month.slice(8)), Number(from.slice(8)))
        assert.isAtMost(Number(from.slice(8)), daysInMonth(from))
      })
    )
    assert.strictEqual(weekdayOf(now), 6)
    assert.deepStrictEqual(
      ["2026-01-31", "2024-02-29"].map((each) => addMonths(each, 12)),
      ["2027-01-31", "2025-02-28"]
    )
  })

  const anyZone = fc.constantFrom("Asia/Amman", "Asia/Gaza", "Pacific/Apia", ...Intl.supportedValuesOf("timeZone"))
  it.prop("begin when the clocks of the zone first show them", [anyZone, day], ([zone, each]) => {
    const start = Date.parse(dayStart(each, zone))
    assert.isTrue(today(zone, start) >= each, `${zone} ${each}`)
    assert.isTrue(today(zone, start - 1) < each, `${zone} ${each}`)
  })

  it.each([
    // Clocks went back from one to midnight, so that the day had midnight twice.
    ["Asia/Amman", "2021-10-29", "2021-10-28T21:00:00.000Z"],
    ["Antarctica/Casey", "2020-03-08", "2020-03-07T13:00:00.000Z"],
    // Clocks leapt over midnight, by an hour, by half of one and over the whole day.
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"],
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"],
    ["Africa/Monrovia", "1972-01-08", "1972-01-08T00:00:00.000Z"],
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"]
  ])("in %s %s begins at %s", (zone, each, start) => assert.strictEqual(dayStart(each, zone), start))

  it.each([
    ["7d", "2026-11-08T00:00:00.000Z", "2026-11-15T00:00:00.000Z"],
    ["2w", "2026-10-25T00:00:00.000Z", "2026-11-08T00:00:00.000Z"],
    ["1mo", "2026-09-22T00:00:00.000Z", "2026-10-22T00:00:00.000Z"],
    ["24h", "2026-11-20T09:00:00.000Z", "2026-11-21T09:00:00.000Z"]
  ])("right before %s lies as much time, which ends where that begins", (text, from, to) => {
    const period = periodOf(text)
    assert(period?.kind === "relative")
    const instant = Date.parse("2026-11-22T09:30:00Z")
    assert.deepStrictEqual(timeBefore(period, "UTC", now, instant), { from, to })
    const { step, value } = period
    const asked = { step: step === "hour" ? "hour" : "day", zone: "UTC", weekStart: 0, span: { step, value } } as const
    const { range } = Either.getOrThrow(resolve(asked, instant, 10_000))
    assert.strictEqual(new Date(range.from).toISOString(), to)
  })

  it.each(["Asia/Kolkata", "Asia/Kathmandu", "Australia/Adelaide", "America/St_Johns", "America/New_York"])(
    "right before hours or days of %s lies as much time, too, whatever its clocks do meanwhile",
    (zone) => {
      const instants = fc.integer({ min: Date.parse("2025-01-01"), max: Date.parse("2027-01-01") })
      fc.assert(
        fc.property(fc.constantFrom("3h", "24h", "7d", "1mo"), instants, (text, instant) => {
          const period = periodOf(text)
          assert(period?.kind === "relative")
          const { step, value } = period
          const span = { step, value } as const
          const asked = { step: step === "hour" ? "hour" : "day", zone, weekStart: 0, span } as const
          const { range } = Either.getOrThrow(resolve(asked, instant, 10_000))
          const { to } = timeBefore(period, zone, today(zone, instant), instant)
          assert.strictEqual(to, new Date(range.from).toISOString(), new Date(instant).toISOString())
        })
      )
    }
  )

  it("today is the zone's day", () => {
    const instant = Date.parse("2026-11-22T23:30:00Z")
    assert.deepStrictEqual(
      ["UTC", "Europe/Berlin", "Pacific/Honolulu"].map((zone) => today(zone, instant)),
      ["2026-11-22", "2026-11-23", "2026-11-22"]
    )
  })
})
