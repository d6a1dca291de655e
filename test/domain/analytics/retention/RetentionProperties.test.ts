import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Dimension } from "../../../../src/domain/analytics/filter/Breakdown.ts"
import { type StoredEvent, byTime } from "../../../../src/domain/analytics/markers/Event.ts"
import { retention } from "../../../../src/domain/analytics/retention/Retention.ts"
import type { Criterion, RetentionPlan } from "../../../../src/domain/analytics/retention/RetentionPlan.ts"
import { events, shuffled } from "../../../support/Arbitraries.ts"
import { named } from "../../../support/analytics/Markers.ts"
import { runCount } from "../../../support/Runs.ts"
import { day, origin, planOf, on, cells } from "../../../support/analytics/RetentionPlans.ts"

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
    from: fc.integer({ min: 0, max: 5 }),
    cut: fc.constantFrom(0, day / 4, day / 2)
  })
  .map(({ criterion, from, cut, ...more }) =>
    planOf(criterion, {
      ...more,
      from: new Date(origin + from * day).toISOString(),
      to: new Date(origin + (from + 3) * day - cut).toISOString(),
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
          const starts = (plan.startMode === "firstTime" ? begun.slice(0, 1) : begun).filter(
            (event) => within(event, row) && event.timestamp < (plan.startsIn?.to ?? Infinity)
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
