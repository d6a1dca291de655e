import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import type { Step } from "../../../../src/domain/Calendar.ts"
import type { Dimension } from "../../../../src/domain/analytics/filter/Breakdown.ts"
import { type StoredEvent, byTime } from "../../../../src/domain/analytics/markers/Event.ts"
import { everything } from "../../../../src/domain/analytics/filter/Filter.ts"
import { retention } from "../../../../src/domain/analytics/retention/Retention.ts"
import type {
  Criterion,
  RetentionPlan,
  RetentionRow
} from "../../../../src/domain/analytics/retention/RetentionPlan.ts"
import {
  type RetentionTable,
  retentionPeriods,
  retentionTable
} from "../../../../src/domain/analytics/retention/RetentionTable.ts"
import { resolve } from "../../../../src/domain/analytics/time/TimeRange.ts"
import { events, shuffled } from "../../../support/Arbitraries.ts"
import { marker, named } from "../../../support/analytics/Markers.ts"
import { runCount } from "../../../support/Runs.ts"

const day = 86_400_000
const origin = Date.parse("2024-05-05T00:00:00Z")

interface Options extends Partial<RetentionPlan> {
  readonly from?: string
  readonly to?: string
  readonly step?: Step
  readonly zone?: string
  readonly now?: number
}

const planOf = (criterion: Criterion, options: Options = {}): RetentionPlan => {
  const { from = "2024-05-05", to = "2024-05-08", step = "day", zone = "UTC", now = origin, ...more } = options
  const span = { from: Date.parse(from), to: Date.parse(to) }
  const time = Either.getOrThrow(resolve({ step, zone, weekStart: 0, span }, 0, 1000))
  return {
    start: named("play"),
    return: named("play"),
    filter: everything,
    startMode: "recurring",
    criterion,
    window: "calendar",
    minimumOccurrences: 1,
    dateBy: "start",
    breakdowns: [],
    breakdownLimit: 25,
    ...retentionPeriods(time, { criterion, window: more.window ?? "calendar", dateBy: more.dateBy ?? "start" }, now),
    ...more
  }
}

const on = (columns: number): Criterion => ({ type: "on", columns })

const numbers = (rows: ReadonlyArray<RetentionRow>) =>
  rows.map(({ size, cells }) => [size].concat(cells.map(({ count }) => count)))

const cells = (all: ReadonlyArray<StoredEvent>, plan: RetentionPlan) => numbers(retention(all, plan).series[0]!.rows)

/** "u 0 1.5 3": unit u plays at these days after the origin. */
const plays = (text: string): ReadonlyArray<StoredEvent> =>
  text
    .trim()
    .split("\n")
    .flatMap((line, i) => {
      const [unit, ...times] = line.trim().split(/\s+/)
      return times.map((at, j) => marker(i * 100 + j, unit!, "play", origin + Number(at) * day))
    })

describe("retention", () => {
  const all = plays(`
    u 0 1 2
    v 0 2
    w 1 3 3.1
    z 5
  `)

  it("counts a unit in every row with a start, and in a cell when it came back in that period", () => {
    assert.deepEqual(cells(all, planOf(on(3))), [
      [2, 1, 2, 0],
      [2, 1, 1, 0],
      [2, 0, 0, 0]
    ])
  })

  it("by first time counts a unit in the row of its first start ever", () => {
    const old = [...all, marker(900, "v", "play", origin - 30 * day)]
    assert.deepEqual(cells(old, planOf(on(2), { startMode: "firstTime" })), [
      [1, 1, 1],
      [1, 0, 1],
      [0, 0, 0]
    ])
  })

  it("accepts a return on, before or after the column, or in its bracket", () => {
    assert.deepEqual(cells(all, planOf({ type: "onOrAfter", columns: 3 }))[1], [2, 2, 1, 0])
    assert.deepEqual(cells(all, planOf({ type: "onOrBefore", columns: 3 }))[1], [2, 1, 2, 2])
    const brackets: Criterion = {
      type: "brackets",
      brackets: [
        [1, 1],
        [2, 4]
      ]
    }
    assert.deepEqual(cells(all, planOf(brackets))[0], [2, 1, 2])
  })

  it("wants enough returns in one period, and never more than one start", () => {
    assert.deepEqual(cells(all, planOf(on(2), { minimumOccurrences: 2 })), [
      [2, 0, 0],
      [2, 0, 1],
      [2, 0, 0]
    ])
  })

  it("rolls 24 hours from each start", () => {
    const rolling = plays(`
      u 0.9 1.1 2.0
      v 0.5 1.6
    `)
    assert.deepEqual(cells(rolling, planOf(on(2))), [
      [2, 2, 1],
      [2, 1, 0],
      [1, 0, 0]
    ])
    assert.deepEqual(cells(rolling, planOf(on(2), { window: "rolling24h" })), [
      [2, 2, 0],
      [2, 0, 0],
      [1, 0, 0]
    ])
  })

  it("goes by the zone's days and by calendar months", () => {
    const berlin = plays("u 0.95 1.95")
    assert.deepEqual(cells(berlin, planOf(on(1), { zone: "Europe/Berlin", to: "2024-05-06" })).slice(0, 2), [
      [0, 0],
      [1, 1]
    ])
    const months = [marker(1, "u", "play", "2024-01-31T00:00:00Z"), marker(2, "u", "play", "2024-02-01T00:00:00Z")]
    assert.deepEqual(cells(months, planOf(on(1), { step: "month", from: "2024-01-15", to: "2024-02-15" })), [
      [1, 1],
      [1, 0]
    ])
  })

  it("dates a cell by the return, as a share of the cohort it came from", () => {
    const plan = planOf(on(2), { dateBy: "return", from: "2024-05-07", to: "2024-05-09" })
    const { rows } = retention(all, plan).series[0]!
    assert.deepEqual(
      rows.map((row) => row.cells.map(({ count, of }) => [count, of])),
      [
        [
          [1, 2],
          [2, 2]
        ],
        [
          [0, 2],
          [1, 2]
        ]
      ]
    )
    assert.deepEqual(
      rows.map(({ size }) => size),
      [2, 1]
    )
  })
})

describe("a breakdown of retention", () => {
  const mark = (sequence: number, unit: string, at: number, a: string, p?: string) =>
    marker(sequence, unit, "play", origin + at * day, { arguments: { a }, properties: p === undefined ? {} : { p } })
  const all = [
    mark(1, "u", 0, "x", "de"),
    mark(2, "u", 1, "y", "fr"),
    mark(3, "u", 2, "x"),
    mark(4, "v", 0, "y"),
    mark(5, "v", 1, "y")
  ]
  const groups = (dimension: Dimension, more: Options = {}) =>
    retention(all, planOf(on(2), { breakdowns: [dimension], to: "2024-05-06", ...more })).series.map(
      ({ group, rows }) => [group.isOther ? "Other" : group.values[0], numbers(rows)[0]]
    )

  it("by an argument wants the same value at start and return", () => {
    assert.deepEqual(groups({ source: "argument", name: "a" }), [
      ["x", [1, 0, 1]],
      ["y", [1, 1, 0]]
    ])
  })

  it("by a property takes the unit's latest value", () => {
    assert.deepEqual(groups({ source: "property", name: "p" }), [
      ["fr", [1, 1, 1]],
      [null, [1, 1, 0]]
    ])
  })

  it("merges what is past the limit, a unit once", () => {
    const more = [mark(6, "u", 0.5, "z"), mark(7, "u", 1.5, "z")]
    const plan = planOf(on(1), { breakdowns: [{ source: "argument", name: "a" }], breakdownLimit: 1, to: "2024-05-06" })
    const { series } = retention([...all, ...more, mark(8, "w", 0, "y")], plan)
    assert.deepEqual(
      series.map(({ group, rows }) => [group.values[0] ?? "Other", numbers(rows)[0]]),
      [
        ["y", [2, 1]],
        ["Other", [1, 1]]
      ]
    )
  })
})

describe("a retention table", () => {
  const table = (plan: RetentionPlan, now: number): RetentionTable => {
    const all = plays("u 0 1\nv 0\nw 1 2")
    return retentionTable(plan, retention(all, plan).series[0]!, now)
  }

  it("tells which cells could still grow, and leaves them out of the totals", () => {
    const { cohorts, total } = table(planOf(on(2), { to: "2024-05-07" }), origin + 3 * day)
    assert.deepEqual(
      cohorts.map(({ start, size }) => [start, size]),
      [
        [origin, 2],
        [origin + day, 2]
      ]
    )
    assert.deepEqual(cohorts[0]!.values, [
      { interval: 1, count: 1, rate: 50, complete: true },
      { interval: 2, count: 0, rate: 0, complete: true }
    ])
    assert.deepEqual(
      cohorts[1]!.values.map(({ complete }) => complete),
      [true, false]
    )
    assert.deepEqual(total, {
      size: 4,
      values: [
        { interval: 1, count: 2, rate: 50, complete: true },
        { interval: 2, count: 0, rate: 0, complete: false }
      ]
    })
  })

  it("knows when rolling windows, brackets and returns by date are over", () => {
    const flags = (plan: RetentionPlan, now: number) =>
      table(plan, now).cohorts[0]!.values.map(({ complete }) => complete)
    const one = { to: "2024-05-06" }
    assert.deepEqual(flags(planOf(on(2), { ...one, window: "rolling24h" }), origin + 3 * day), [true, false])
    const brackets: Criterion = {
      type: "brackets",
      brackets: [
        [1, 1],
        [2, 4]
      ]
    }
    assert.deepEqual(flags(planOf(brackets, one), origin + 4 * day), [true, false])
    assert.deepEqual(flags(planOf(brackets, one), origin + 5 * day), [true, true])
    assert.deepEqual(flags(planOf(on(2), { ...one, dateBy: "return" }), origin + day), [true, true])
    assert.deepEqual(flags(planOf(on(2), { ...one, dateBy: "return" }), origin + day - 1), [false, false])
  })
})

describe("rolling windows", () => {
  it("C3: a return in the last column of the last row counts", () => {
    const at = (text: string) => Date.parse(text) - origin
    const all = [
      marker(1, "u", "A", origin + at("2024-03-04T20:00:00Z")),
      marker(2, "u", "B", origin + at("2024-03-06T19:00:00Z"))
    ]
    const range = { from: "2024-03-04", to: "2024-03-05", window: "rolling24h" as const }
    const plan = planOf(on(1), { ...range, start: named("A"), return: named("B") })
    assert.deepEqual(cells(all, plan), [[1, 1]])
  })
})

describe("the periods of retention", () => {
  const count = ({ periods, firstRow, rows }: RetentionPlan) => [periods.boundaries.length - 1, firstRow, rows]

  it("reach as far as the columns look", () => {
    assert.deepEqual(count(planOf(on(7))), [10, 0, 3])
    assert.deepEqual(
      count(
        planOf({
          type: "brackets",
          brackets: [
            [1, 2],
            [3, 9]
          ]
        })
      ),
      [12, 0, 3]
    )
    assert.deepEqual(count(planOf(on(7), { dateBy: "return" })), [17, 7, 3])
    assert.deepEqual(count(planOf({ type: "onOrAfter", columns: 2 }, { now: origin + 20.5 * day })), [21, 0, 3])
  })
})

const shape = { units: 3, types: ["play", "buy"], ticks: 40, tick: day / 4, origin, most: 24 }
const criteria = fc.constantFrom<Array<Criterion>>(
  on(4),
  { type: "onOrBefore", columns: 4 },
  { type: "onOrAfter", columns: 4 },
  {
    type: "brackets",
    brackets: [
      [1, 2],
      [3, 3],
      [4, 6]
    ]
  }
)
const anyPlan = fc
  .record({
    criterion: criteria,
    startMode: fc.constantFrom<Array<"recurring" | "firstTime">>("recurring", "firstTime"),
    window: fc.constantFrom<Array<"calendar" | "rolling24h">>("calendar", "rolling24h"),
    minimumOccurrences: fc.integer({ min: 1, max: 2 }),
    zone: fc.constantFrom("UTC", "America/New_York"),
    from: fc.integer({ min: 0, max: 5 })
  })
  .map(({ criterion, from, ...more }) =>
    planOf(criterion, {
      ...more,
      from: new Date(origin + from * day).toISOString(),
      to: new Date(origin + (from + 3) * day).toISOString(),
      now: origin + 12 * day,
      return: named("buy")
    })
  )
const runs = { fastCheck: { numRuns: runCount(1500) } }

const accepted = ({ criterion }: RetentionPlan, column: number, interval: number): boolean => {
  if (interval < 1) return false
  if (criterion.type === "brackets")
    return interval >= criterion.brackets[column]![0] && interval <= criterion.brackets[column]![1]
  if (criterion.type === "on") return interval === column + 1
  return criterion.type === "onOrBefore" ? interval <= column + 1 : interval >= column + 1
}

describe("any retention", () => {
  it.prop(
    "is what each unit, row and column says by itself",
    [events(shape), anyPlan],
    ([all, plan]) => {
      const { boundaries } = plan.periods
      const within = ({ timestamp }: StoredEvent, period: number) =>
        timestamp >= boundaries[period]! && timestamp < boundaries[period + 1]!
      const isKnown = ({ timestamp }: StoredEvent) =>
        plan.window === "rolling24h" || (timestamp >= boundaries[0]! && timestamp < boundaries.at(-1)!)
      const columns = plan.criterion.type === "brackets" ? 3 : 4
      const expected = Array.from({ length: plan.rows }, (_, row) => {
        const retained = Array.from({ length: columns }, () => 0)
        let size = 0
        for (const unit of ["u0", "u1", "u2"]) {
          const own = all.filter(({ unitId }) => unitId === unit).toSorted(byTime)
          const begun = own.filter(({ type }) => type === "play")
          const starts = (plan.startMode === "firstTime" ? begun.slice(0, 1) : begun).filter((event) =>
            within(event, row)
          )
          if (starts.length > 0) size++
          const returns = own.filter((event) => event.type === "buy" && isKnown(event))
          for (let column = 0; column < columns; column++) {
            const isRetained = starts.some((start) => {
              const intervals = returns.map((event) =>
                plan.window === "calendar"
                  ? boundaries.findLastIndex((boundary) => boundary <= event.timestamp) - row
                  : Math.floor((event.timestamp - start.timestamp) / day)
              )
              return intervals.some(
                (interval) =>
                  accepted(plan, column, interval) &&
                  intervals.filter((other) => other === interval).length >= plan.minimumOccurrences
              )
            })
            if (isRetained) retained[column]!++
          }
        }
        return [size, ...retained]
      })
      assert.deepEqual(cells(all, plan), expected)
    },
    runs
  )

  it.prop(
    "does not depend on the order of arrival",
    [events(shape).chain((all) => fc.tuple(fc.constant(all), shuffled(all))), anyPlan],
    ([[all, other], plan]) => {
      const breakdowns: ReadonlyArray<Dimension> = [
        { source: "argument", name: "a" },
        { source: "property", name: "p" }
      ]
      const grouped = { ...plan, return: named("play"), breakdowns, breakdownLimit: 2 }
      assert.deepEqual(retention(other, grouped), retention(all, grouped))
    },
    runs
  )

  it.prop(
    "by the return says the same cells elsewhere",
    [events(shape), fc.integer({ min: 1, max: 4 })],
    ([all, columns]) => {
      const byStart = planOf(on(columns), { from: "2024-04-25", to: "2024-05-20" })
      const byReturn = planOf(on(columns), { from: "2024-05-08", to: "2024-05-12", dateBy: "return" })
      const started = retention(all, byStart).series[0]!.rows
      const returned = retention(all, byReturn).series[0]!.rows
      const offset = 13
      returned.forEach((row, r) =>
        row.cells.forEach((cell, column) => {
          const cohort = started[offset + r - (column + 1)]!
          assert.deepEqual(cell, { count: cohort.cells[column]!.count, of: cohort.size })
        })
      )
    },
    runs
  )
})
