import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import { bucketsOf, type TimeSpan } from "../../../../src/domain/analytics/time/Buckets.ts"
import type { Calendar } from "../../../../src/domain/Calendar.ts"
import { dayMillis, hourMillis, minuteMillis } from "../../../../src/domain/Durations.ts"
import type { ChangeCondition } from "../../../../src/domain/operations/alerts/AlertJudgement.ts"
import { newestWindow, nextLookAt, rangeFor, slotOf } from "../../../../src/domain/operations/alerts/AlertWindow.ts"
import { zoneNamed } from "../../../../src/domain/Zone.ts"
import { runCount } from "../../../support/Runs.ts"

const calendarOf = (zone: string): Calendar => ({ zone: Option.getOrThrow(zoneNamed(zone)), weekStart: 1 })

const condition: ChangeCondition = {
  kind: "change",
  direction: "either",
  percent: 20,
  weeks: 4,
  minimumSample: 0,
  falseOnceInWeeks: 4
}

/** The windows that an alert judges from `now` on, which looks again each time when it is told to, or `late` milliseconds afterwards. */
const judged = (calendar: Calendar, step: "hour" | "day", now: number, delay: number, late: ReadonlyArray<number>) => {
  const windows: Array<TimeSpan> = []
  for (let [at, look] = [now, 0]; look <= late.length; look++) {
    const window = newestWindow(calendar, step, at, delay)
    windows.push(window)
    at = nextLookAt(calendar, step, window, delay) + (late[look] ?? 0)
  }
  return windows
}

const iso = (instant: number) => new Date(instant).toISOString().slice(0, 16)

describe("the windows that an alert judges", () => {
  it("are both of an hour that is repeated at the end of daylight saving time, and none of one that is left out", () => {
    const calendar = calendarOf("Europe/Berlin")
    const delay = 15 * minuteMillis
    const autumn = judged(calendar, "hour", Date.parse("2026-10-24T23:20:00Z"), delay, [0, 0, 0])
    assert.deepStrictEqual(
      autumn.map(({ from, to }) => [iso(from), iso(to), slotOf(calendar.zone, "hour", from) % 24]),
      [
        ["2026-10-24T22:00", "2026-10-24T23:00", 0],
        ["2026-10-24T23:00", "2026-10-25T00:00", 1],
        ["2026-10-25T00:00", "2026-10-25T01:00", 2],
        ["2026-10-25T01:00", "2026-10-25T02:00", 2]
      ]
    )
    const spring = judged(calendar, "hour", Date.parse("2026-03-29T00:20:00Z"), delay, [0, 0])
    assert.deepStrictEqual(
      spring.map(({ from }) => slotOf(calendar.zone, "hour", from) % 24),
      [0, 1, 3]
    )
  })

  it.prop(
    "follow one another without a gap or a repetition, and are the newest of what is asked for them",
    [
      fc.constantFrom("Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Cairo", "Pacific/Apia"),
      fc.constantFrom("hour" as const, "day" as const),
      fc.constantFrom("2026-10-25", "2026-03-29", "2018-11-04", "2018-02-18", "2023-04-28", "2011-12-30", "2026-04-05"),
      fc.integer({ min: -30 * hourMillis, max: 30 * hourMillis }),
      fc.integer({ min: 0, max: 3 * hourMillis }),
      fc.array(fc.integer({ min: 0, max: 20 * minuteMillis }), { minLength: 30, maxLength: 60 })
    ],
    ([zone, step, day, shift, delay, late]) => {
      const calendar = calendarOf(zone)
      const windows = judged(calendar, step, Date.parse(day) + shift, delay, late)
      for (const [at, window] of windows.entries()) {
        assert.isBelow(window.from, window.to)
        if (at > 0) assert.strictEqual(window.from, windows[at - 1]!.to)
        const { boundaries } = bucketsOf(calendar, step, rangeFor(calendar, step, window, condition, 1))
        assert.deepStrictEqual(boundaries.slice(-2), [window.from, window.to])
        assert.isAtMost(boundaries[0]!, window.from - 4 * 7 * dayMillis)
      }
    },
    { fastCheck: { numRuns: runCount(200) } }
  )
})
