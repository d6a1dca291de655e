import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import { type Step, civilFromDays, nextStart, shift, startOf } from "../../src/domain/Calendar.ts"
import { daysFromCivil } from "../../src/domain/CivilDate.ts"
import { instantOfLocal, zoneNamed } from "../../src/domain/Zone.ts"
import { bucketAt, bucketsOf } from "../../src/domain/analytics/time/Buckets.ts"
import { runCount } from "../support/Runs.ts"

const calendar = (name: string, weekStart: 0 | 1 | 2 | 3 | 4 | 5 | 6 = 0) => ({
  zone: Option.getOrThrow(zoneNamed(name)),
  weekStart
})

const starts = (zone: string, step: Step, from: string, to: string): ReadonlyArray<string> =>
  bucketsOf(calendar(zone), step, { from: Date.parse(from), to: Date.parse(to) })
    .boundaries.slice(0, -1)
    .map((start) => new Date(start).toISOString())

const localText = (zone: string, instant: number): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" }).format(instant)

const zones = [
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "Australia/Lord_Howe",
  "America/Havana",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Africa/Casablanca",
  "America/St_Johns",
  "US/Pacific"
]
const anyZone = fc.constantFrom(...zones)
const anyStep = fc.constantFrom<Array<Step>>("hour", "day", "week", "month")
const anyInstant = fc.integer({ min: Date.parse("2000-01-01"), max: Date.parse("2030-01-01") })
const runs = { fastCheck: { numRuns: runCount(1000) } }

describe("zones", () => {
  it("are unknown under a name that no database has", () => {
    assert.isTrue(Option.isNone(zoneNamed("Mars/Olympus")))
    assert.isTrue(Option.isNone(zoneNamed("")))
  })

  it.prop(
    "read the clock as the platform does",
    [anyZone, anyInstant],
    ([name, instant]) => {
      const zone = Option.getOrThrow(zoneNamed(name))
      const local = new Date(instant + zone.offsetAt(instant)).toISOString().slice(0, 19).replace("T", " ")
      assert.strictEqual(local, localText(name, instant))
    },
    runs
  )

  it.prop(
    "find the earliest instant of a wall-clock time",
    [anyZone, anyInstant],
    ([name, instant]) => {
      const zone = Option.getOrThrow(zoneNamed(name))
      const local = instant + zone.offsetAt(instant)
      const found = instantOfLocal(zone, local)
      assert.isAtMost(found, instant)
      assert.strictEqual(found + zone.offsetAt(found), local)
    },
    runs
  )

  it("move a time that the clock skips to the change", () => {
    const { zone } = calendar("America/New_York")
    assert.strictEqual(instantOfLocal(zone, Date.parse("2024-03-10T02:30:00Z")), Date.parse("2024-03-10T07:00:00Z"))
  })

  it("take the first of a time that the clock repeats", () => {
    const { zone } = calendar("America/New_York")
    assert.strictEqual(instantOfLocal(zone, Date.parse("2024-11-03T01:30:00Z")), Date.parse("2024-11-03T05:30:00Z"))
  })
})

describe("civil dates", () => {
  it.prop(
    "agree with the platform",
    [fc.integer({ min: -60_000, max: 60_000 })],
    ([days]) => {
      const { year, month, date } = civilFromDays(days)
      assert.strictEqual(daysFromCivil(year, month, date), days)
      assert.strictEqual(Date.UTC(year, month - 1, date), days * 86_400_000)
    },
    runs
  )
})

describe("buckets", () => {
  it("give the hour that is repeated at the end of daylight saving two buckets", () => {
    assert.deepEqual(starts("America/New_York", "hour", "2024-11-03T04:00:00Z", "2024-11-03T08:00:00Z"), [
      "2024-11-03T04:00:00.000Z",
      "2024-11-03T05:00:00.000Z",
      "2024-11-03T06:00:00.000Z",
      "2024-11-03T07:00:00.000Z"
    ])
    assert.lengthOf(starts("America/New_York", "hour", "2024-11-03T04:00:00Z", "2024-11-04T05:00:00Z"), 25)
    assert.lengthOf(starts("America/New_York", "hour", "2024-03-10T05:00:00Z", "2024-03-11T04:00:00Z"), 23)
  })

  it("split an hour where the clock moves by half of one", () => {
    assert.deepEqual(starts("Australia/Lord_Howe", "hour", "2024-04-06T14:00:00Z", "2024-04-06T16:30:00Z"), [
      "2024-04-06T14:00:00.000Z",
      "2024-04-06T15:00:00.000Z",
      "2024-04-06T15:30:00.000Z"
    ])
  })

  it("never add 24 hours for a day", () => {
    assert.deepEqual(starts("Europe/Berlin", "day", "2024-03-30T12:00:00Z", "2024-04-01T12:00:00Z"), [
      "2024-03-29T23:00:00.000Z",
      "2024-03-30T23:00:00.000Z",
      "2024-03-31T22:00:00.000Z"
    ])
  })

  it("begin a day at the change when midnight does not exist, and once when it comes twice", () => {
    assert.deepEqual(starts("America/Sao_Paulo", "day", "2018-11-03T12:00:00Z", "2018-11-05T12:00:00Z"), [
      "2018-11-03T03:00:00.000Z",
      "2018-11-04T03:00:00.000Z",
      "2018-11-05T02:00:00.000Z"
    ])
    assert.deepEqual(starts("America/Havana", "day", "2024-11-02T12:00:00Z", "2024-11-04T12:00:00Z"), [
      "2024-11-02T04:00:00.000Z",
      "2024-11-03T04:00:00.000Z",
      "2024-11-04T05:00:00.000Z"
    ])
  })

  it("leave out a date that a zone skipped", () => {
    assert.deepEqual(starts("Pacific/Apia", "day", "2011-12-29T12:00:00Z", "2011-12-31T12:00:00Z"), [
      "2011-12-29T10:00:00.000Z",
      "2011-12-30T10:00:00.000Z",
      "2011-12-31T10:00:00.000Z"
    ])
  })

  it("begin weeks on the day of the setting", () => {
    const at = Date.parse("2024-05-15T12:00:00Z")
    const day = (weekStart: 0 | 1 | 6) => new Date(startOf(calendar("UTC", weekStart), "week", at)).toISOString()
    assert.deepEqual(
      [day(0), day(1), day(6)],
      ["2024-05-12T00:00:00.000Z", "2024-05-13T00:00:00.000Z", "2024-05-11T00:00:00.000Z"]
    )
  })

  it("cover an empty range with none", () => {
    assert.lengthOf(starts("UTC", "day", "2024-05-15T12:00:00Z", "2024-05-15T12:00:00Z"), 0)
  })

  it.prop(
    "hold the instant between their boundaries",
    [anyZone, anyStep, anyInstant],
    ([name, step, instant]) => {
      const own = calendar(name, 1)
      const start = startOf(own, step, instant)
      const next = nextStart(own, step, start)
      assert.isTrue(start <= instant && instant < next)
      assert.strictEqual(startOf(own, step, start), start)
      assert.strictEqual(startOf(own, step, next - 1), start)
      assert.strictEqual(startOf(own, step, next), next)
    },
    runs
  )

  it.prop(
    "of days begin where the local date changes",
    [anyZone, anyInstant],
    ([name, instant]) => {
      const start = startOf(calendar(name), "day", instant)
      assert.isBelow(
        Date.parse(localText(name, start - 1).slice(0, 10)),
        Date.parse(localText(name, start).slice(0, 10))
      )
    },
    runs
  )

  it.prop(
    "tell their index",
    [fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1 }), fc.integer({ min: -2, max: 32 })],
    ([some, instant]) => {
      const boundaries = some.toSorted((a, b) => a - b)
      assert.strictEqual(bucketAt(boundaries, instant), boundaries.filter((boundary) => boundary <= instant).length - 1)
    },
    runs
  )
})

describe("shifting", () => {
  it("keeps the wall clock over a change and the end of a month", () => {
    const { zone } = calendar("Europe/Berlin")
    const moved = (from: string, count: number, step: Step) =>
      new Date(shift(zone, Date.parse(from), count, step)).toISOString()
    assert.strictEqual(moved("2024-03-30T11:00:00Z", 1, "day"), "2024-03-31T10:00:00.000Z")
    assert.strictEqual(moved("2024-03-31T10:00:00Z", -1, "month"), "2024-02-29T11:00:00.000Z")
    assert.strictEqual(moved("2024-01-15T11:00:00Z", -1, "month"), "2023-12-15T11:00:00.000Z")
    assert.strictEqual(moved("2024-03-30T11:00:00Z", 24, "hour"), "2024-03-31T11:00:00.000Z")
  })
})
