import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import type { Step } from "../../../../src/domain/Calendar.ts"
import { activeSpans } from "../../../../src/domain/analytics/insight/ActiveUsers.ts"
import { countOf } from "../../../../src/domain/analytics/time/Buckets.ts"
import {
  type Relative,
  type TimeRange,
  previousPeriod,
  resolve
} from "../../../../src/domain/analytics/time/TimeRange.ts"
import { runCount } from "../../../support/Runs.ts"

const iso = (instant: number): string => new Date(instant).toISOString()

const request = (step: Step, span: Relative | readonly [string, string], zone = "UTC") => ({
  step,
  zone,
  weekStart: 0 as const,
  span: "step" in span ? span : { from: Date.parse(span[0]), to: Date.parse(span[1]) }
})

const resolved = (
  step: Step,
  span: Relative | readonly [string, string],
  zone?: string,
  now = "2020-11-07T10:20:00Z"
) => Either.getOrThrow(resolve(request(step, span, zone), Date.parse(now), 10_000))

const ends = ({ range }: TimeRange) => [iso(range.from), iso(range.to)]

describe("a relative range", () => {
  it("ends with this millisecond and begins with a whole bucket", () => {
    const { range, buckets } = resolved("day", { step: "day", value: 7 })
    assert.deepEqual([iso(range.from), iso(range.to)], ["2020-10-31T00:00:00.000Z", "2020-11-07T10:20:00.001Z"])
    assert.strictEqual(countOf(buckets), 8)
  })

  it("goes back by the local calendar", () => {
    const week = resolved("hour", { step: "week", value: 1 }, "America/New_York", "2024-11-05T17:00:00Z")
    assert.deepEqual(ends(week), ["2024-10-29T16:00:00.000Z", "2024-11-05T17:00:00.001Z"])
    assert.deepEqual(ends(resolved("month", { step: "year", value: 1 }))[0], "2019-11-01T00:00:00.000Z")
    assert.deepEqual(ends(resolved("hour", { step: "minute", value: 30 }))[0], "2020-11-07T09:00:00.000Z")
  })
})

describe("a relative range of a million steps", () => {
  const now = Date.parse("2026-11-20T10:20:00Z")
  const steps = ["minute", "hour", "day", "week", "month", "year"] as const

  it.each(steps)("is refused where it begins before 1900, however far back: %s", (step) => {
    for (const value of [2000, 50_000, 541_066, 1_000_000]) {
      const found = resolve(request("month", { step, value }, "Europe/Amsterdam"), now, 1_000_000)
      const isTooLong = Either.isLeft(found) && found.left._tag === "OutOfCalendar"
      const months = { minute: 1 / 43_200, hour: 1 / 720, day: 1 / 30, week: 7 / 30, month: 1, year: 12 }
      assert.strictEqual(isTooLong, value * months[step] > 1522, `${value} ${step}`)
    }
  })
})

describe("a range between instants", () => {
  it("rounds its beginning down and keeps its end", () => {
    const month = resolved("month", ["2020-06-07T00:00:00Z", "2020-07-30T12:00:00Z"])
    assert.deepEqual(ends(month), ["2020-06-01T00:00:00.000Z", "2020-07-30T12:00:00.000Z"])
    assert.deepEqual(month.buckets.boundaries.map(iso), [
      "2020-06-01T00:00:00.000Z",
      "2020-07-01T00:00:00.000Z",
      "2020-08-01T00:00:00.000Z"
    ])
  })

  it("is refused when inverted, empty, endless or in no known zone", () => {
    const reason = (step: Step, span: readonly [string, string], zone = "UTC") =>
      Either.match(resolve(request(step, span, zone), 0, 1000), { onLeft: ({ _tag }) => _tag, onRight: () => "fine" })
    assert.strictEqual(reason("day", ["2020-06-07", "2020-06-06"]), "InvertedRange")
    assert.strictEqual(reason("day", ["2020-06-07", "2020-06-07"]), "InvertedRange")
    assert.strictEqual(reason("hour", ["2020-01-01", "2020-06-06"]), "TooManyBuckets")
    assert.strictEqual(reason("hour", ["1901-01-01", "9998-06-06"]), "TooManyBuckets")
    assert.strictEqual(reason("day", ["0001-01-01", "2020-06-06"]), "OutOfCalendar")
    assert.strictEqual(reason("day", ["nonsense", "2020-06-06"]), "OutOfCalendar")
    assert.strictEqual(reason("day", ["2020-06-07", "2020-06-09"], "Europe/Atlantis"), "UnknownZone")
    assert.strictEqual(reason("day", ["2020-06-07", "2020-06-09"]), "fine")
  })
})

describe("the previous period", () => {
  it("has as many buckets, each beside the one of its index, and stops at the same time of its last", () => {
    const previous = previousPeriod(resolved("day", { step: "day", value: 7 }))
    assert.deepEqual(ends(previous), ["2020-10-23T00:00:00.000Z", "2020-10-30T10:20:00.001Z"])
    assert.strictEqual(countOf(previous.buckets), 8)
  })

  it("goes by months, not by days", () => {
    const previous = previousPeriod(resolved("month", ["2020-03-01T00:00:00Z", "2020-05-01T00:00:00Z"]))
    assert.deepEqual(ends(previous), ["2020-01-01T00:00:00.000Z", "2020-03-01T00:00:00.000Z"])
  })

  it("is as many hours right before the range, also where clocks change by half an hour between them or in them", () => {
    const zone = "Australia/Lord_Howe"
    const after = previousPeriod(resolved("hour", ["2026-04-04T16:30:00Z", "2026-04-05T07:30:00Z"], zone))
    assert.deepEqual(ends(after), ["2026-04-04T02:00:00.000Z", "2026-04-04T16:30:00.000Z"])
    assert.strictEqual(countOf(after.buckets), 15)
    const across = resolved("hour", ["2026-04-04T14:00:00Z", "2026-04-04T17:30:00Z"], zone)
    assert.strictEqual(countOf(across.buckets), 4)
    assert.deepEqual(ends(previousPeriod(across)), ["2026-04-04T10:00:00.000Z", "2026-04-04T14:00:00.000Z"])
    const part = resolved("hour", ["2026-04-04T14:00:00Z", "2026-04-04T16:40:00Z"], zone)
    assert.deepEqual(ends(previousPeriod(part)), ["2026-04-04T10:00:00.000Z", "2026-04-04T13:10:00.000Z"])
  })

  it.each([
    // Samoa had no 30 December 2011.
    ["2011-12-31T10:00:00Z", "2012-01-03T10:00:00Z", "2011-12-28T10:00:00Z", "2011-12-31T10:00:00Z"],
    ["2011-12-30T10:00:00Z", "2012-01-01T04:00:00Z", "2011-12-28T10:00:00Z", "2011-12-30T04:00:00Z"],
    ["2011-12-29T10:00:00Z", "2011-12-31T04:00:00Z", "2011-12-27T10:00:00Z", "2011-12-29T04:00:00Z"],
    ["2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z", "2011-12-29T10:00:00Z", "2011-12-29T22:00:00Z"]
  ])("leaves out a day that the zone skipped: %s to %s", (from, to, earlier, end) => {
    const previous = previousPeriod(resolved("day", [from, to], "Pacific/Apia"))
    assert.deepEqual(
      ends(previous).map((each) => each.replace(".000", "")),
      [earlier, end]
    )
  })

  it.each([
    // At midnight clocks went forward, so that the day begins at one o'clock.
    [
      "America/Sao_Paulo",
      "2018-11-04T03:00:00Z",
      "2018-11-06T14:00:00Z",
      "2018-11-01T03:00:00Z",
      "2018-11-03T15:00:00Z"
    ],
    [
      "America/Sao_Paulo",
      "2018-11-05T02:00:00Z",
      "2018-11-05T02:30:00Z",
      "2018-11-04T03:00:00Z",
      "2018-11-04T03:30:00Z"
    ],
    ["Africa/Cairo", "2023-04-27T22:00:00Z", "2023-04-29T09:00:00Z", "2023-04-25T22:00:00Z", "2023-04-27T10:00:00Z"],
    ["Africa/Cairo", "2023-04-28T21:00:00Z", "2023-04-28T21:30:00Z", "2023-04-27T22:00:00Z", "2023-04-27T22:30:00Z"]
  ])("begins with a day without a midnight as with any: %s, %s to %s", (zone, from, to, earlier, end) => {
    const previous = previousPeriod(resolved("day", [from, to], zone))
    assert.deepEqual(
      ends(previous).map((each) => each.replace(".000", "")),
      [earlier, end]
    )
  })

  it.prop(
    "never overlaps and has as many buckets",
    [
      fc.constantFrom<Array<Step>>("hour", "day", "week", "month"),
      fc.constantFrom(
        ...["UTC", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo"],
        ...["Africa/Cairo", "Asia/Beirut", "Pacific/Apia", "Pacific/Kwajalein"]
      ),
      fc.oneof(
        fc.integer({ min: Date.parse("2015-01-01"), max: Date.parse("2025-01-01") }),
        fc.integer({ min: Date.parse("2011-11-20"), max: Date.parse("2012-02-01") }),
        fc.integer({ min: Date.parse("1993-07-10"), max: Date.parse("1993-10-01") })
      ),
      fc.integer({ min: 1, max: 40 * 86_400_000 })
    ],
    ([step, zone, from, length]) => {
      const time = Either.getOrThrow(
        resolve({ step, zone, weekStart: 1, span: { from, to: from + length } }, 0, 10_000)
      )
      const previous = previousPeriod(time)
      assert.isAtMost(previous.range.to, time.range.from)
      assert.isBelow(previous.range.from, previous.range.to)
      assert.strictEqual(countOf(previous.buckets), countOf(time.buckets))
      assert.strictEqual(previous.buckets.boundaries.at(-1), time.range.from)
      assert.isAbove(previous.range.to, previous.buckets.boundaries.at(-2)!)
    },
    { fastCheck: { numRuns: runCount(1000) } }
  )
})

describe("spans of active users", () => {
  it("end with each bucket's last day so far, the last with the range's", () => {
    const time = resolved("week", ["2024-03-24T00:00:00Z", "2024-04-03T12:00:00Z"], "Europe/Berlin")
    const spans = activeSpans(time, 7).map(({ from, to }) => [iso(from), iso(to)])
    assert.deepEqual(spans, [
      ["2024-03-23T23:00:00.000Z", "2024-03-30T23:00:00.000Z"],
      ["2024-03-27T23:00:00.000Z", "2024-04-03T12:00:00.000Z"],
      ["2024-03-27T23:00:00.000Z", "2024-04-03T12:00:00.000Z"]
    ])
  })

  it("are the same for all hours of a day", () => {
    const spans = activeSpans(resolved("hour", ["2024-03-24T00:00:00Z", "2024-03-25T00:00:00Z"]), 1)
    assert.lengthOf(spans, 25)
    assert.deepEqual(new Set(spans.map(({ from }) => iso(from))), new Set(["2024-03-24T00:00:00.000Z"]))
    assert.strictEqual(iso(spans[0]!.to), "2024-03-25T00:00:00.000Z")
  })

  it.each([
    // Samoa had no 30 December 2011, Kwajalein no 21 August 1993.
    [
      "Pacific/Apia",
      "2012-01-02T10:00:00Z",
      "2012-01-03T10:00:00Z",
      "2011-12-27T10:00:00.000Z",
      "2011-12-04T10:00:00.000Z"
    ],
    [
      "Pacific/Apia",
      "2011-12-30T10:00:00Z",
      "2011-12-31T10:00:00Z",
      "2011-12-24T10:00:00.000Z",
      "2011-12-01T10:00:00.000Z"
    ],
    [
      "Pacific/Kwajalein",
      "1993-08-22T12:00:00Z",
      "1993-08-23T12:00:00Z",
      "1993-08-16T12:00:00.000Z",
      "1993-07-24T12:00:00.000Z"
    ]
  ])("have as many days where the zone %s skipped one: %s", (zone, from, to, week, month) => {
    const time = resolved("day", [from, to], zone)
    const starts = ([7, 30] as const).map((days) => activeSpans(time, days).map((span) => iso(span.from)))
    assert.deepEqual(starts, [
      [week, week],
      [month, month]
    ])
  })

  it("end with the day before one that the zone skipped where that is the last", () => {
    const spans = activeSpans(resolved("day", ["2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"], "Pacific/Apia"), 7)
    assert.deepEqual(
      spans.map(({ from, to }) => [iso(from), iso(to)]),
      Array.from({ length: 2 }, () => ["2011-12-23T10:00:00.000Z", "2011-12-30T10:00:00.000Z"])
    )
  })
})
