import { assert, it } from "@effect/vitest"
import { DateTime, Either, FastCheck as fc } from "effect"
import { retention } from "../../src/domain/analytics/retention/Retention.ts"
import { planRetention, type RetentionQuery } from "../../src/domain/analytics/retention/RetentionQuery.ts"
import { retentionTable } from "../../src/domain/analytics/retention/RetentionTable.ts"
import { marker } from "../support/analytics/Markers.ts"
import { runCount } from "../support/Runs.ts"

const hour = 3_600_000
const day = 24 * hour
const origin = Date.UTC(2026, 2, 1)
const span = 20
const now = origin + 60 * day

interface Sent {
  readonly unit: string
  readonly type: string
  /** Hours after the origin. */
  readonly at: number
}

const sent: fc.Arbitrary<ReadonlyArray<Sent>> = fc.array(
  fc.record({
    unit: fc.constantFrom("u1", "u2", "u3"),
    type: fc.constantFrom("A", "B"),
    at: fc.integer({ min: 0, max: span * 24 - 1 })
  }),
  { maxLength: 30 }
)

const asked = fc.record({
  rows: fc.integer({ min: 1, max: 6 }),
  columns: fc.integer({ min: 1, max: 6 }),
  /** Hours by which the last row ends before its day is over. */
  cut: fc.constantFrom(0, 0, 1, 12, 23),
  criterion: fc.constantFrom("on" as const, "onOrBefore" as const, "onOrAfter" as const),
  window: fc.constantFrom("calendar" as const, "rolling24h" as const),
  startMode: fc.constantFrom("recurring" as const, "firstTime" as const),
  minimum: fc.integer({ min: 1, max: 2 })
})

type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never

/** What SEMANTICS §3 says of one cell, word by word: nothing here is the product's. */
const cell = (all: ReadonlyArray<Sent>, asked: Asked, row: number, k: number) => {
  const { rows, cut, criterion, window, startMode, minimum } = asked
  let size = 0
  let count = 0
  for (const unit of new Set(all.map((one) => one.unit))) {
    const own = all.filter((one) => one.unit === unit)
    const begun = own.filter(({ type }) => type === "A").map(({ at }) => at)
    const first = Math.min(...begun)
    const starts = (startMode === "firstTime" ? begun.filter((at) => at === first) : begun).filter(
      (at) => Math.floor(at / 24) === row && at < rows * 24 - cut
    )
    if (starts.length === 0) continue
    size++
    const returns = own.filter(({ type }) => type === "B").map(({ at }) => at)
    const isRetained = starts.some((start) => {
      const index = (at: number) => (window === "calendar" ? Math.floor(at / 24) - row : Math.floor((at - start) / 24))
      const enough = (interval: number) => returns.filter((at) => index(at) === interval).length >= minimum
      for (let interval = 1; interval <= span; interval++) {
        const isAsked = criterion === "on" ? interval === k : criterion === "onOrBefore" ? interval <= k : interval >= k
        if (isAsked && enough(interval)) return true
      }
      return false
    })
    if (isRetained) count++
  }
  return { size, count }
}

const queryOf = ({ rows, cut, columns, criterion, window, startMode, minimum }: Asked): RetentionQuery => ({
  time: {
    step: "day",
    timezone: "UTC",
    from: DateTime.unsafeMake(origin),
    to: DateTime.unsafeMake(origin + rows * day - cut * hour)
  },
  start: { name: "A" },
  return: { name: "B" },
  interval: "day",
  intervals: columns,
  startMode,
  criterion,
  window,
  minimumOccurrences: minimum,
  dateBy: "start",
  breakdowns: [],
  breakdownLimit: 25
})

it("C3, C6: each cell of retention is what a count by hand says, however many rows and columns are asked for", () =>
  fc.assert(
    fc.asyncProperty(sent, asked, async (all, question) => {
      const plan = Either.getOrThrow(planRetention(queryOf(question), { now, zone: "UTC", weekStart: 0 }))
      const stored = all.map(({ unit, type, at }, sequence) => marker(sequence, unit, type, origin + at * hour))
      const answer = retention(stored, plan).series[0]!
      const { cohorts } = retentionTable(plan, answer, now)
      assert.lengthOf(cohorts, question.rows)
      for (const [row, { size, values }] of cohorts.entries()) {
        assert.lengthOf(values, question.columns)
        for (const { interval, count, complete } of values)
          assert.deepStrictEqual([{ size, count }, complete], [cell(all, question, row, interval), true])
      }
      // Before all rows are over, a total is of those that are.
      const early = retentionTable(plan, answer, origin + 4.5 * day)
      for (const [column, { count, size, rate, complete }] of early.total.values.entries()) {
        const over = early.cohorts.filter(({ values }) => values[column]!.complete)
        const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((all, each) => all + each, 0)
        assert.deepStrictEqual(
          [count, size, complete],
          [sum(over.map(({ values }) => values[column]!.count)), sum(over.map((row) => row.size)), over.length > 0]
        )
        assert.strictEqual(rate, size === 0 ? 0 : (100 * count) / size)
      }
    }),
    { numRuns: runCount(250) }
  ))
