import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { groupKey, topGroups } from "../../../../src/domain/analytics/filter/Breakdown.ts"
import type { RetentionPlan } from "../../../../src/domain/analytics/retention/RetentionPlan.ts"
import { ColumnBits } from "../../../../src/domain/analytics/retention/ColumnBits.ts"
import {
  type GroupCells,
  retentionRows,
  RetentionTally
} from "../../../../src/domain/analytics/retention/RetentionTally.ts"
import { on, origin, planOf } from "../../../support/analytics/RetentionPlans.ts"
import { runCount } from "../../../support/Runs.ts"

/** More than a word has bits. */
const columns = 40
const rows = 4

const plan: RetentionPlan = {
  ...planOf(on(columns), {
    from: new Date(origin).toISOString(),
    to: new Date(origin + rows * 86_400_000).toISOString()
  }),
  breakdowns: [{ source: "argument", name: "mode" }]
}
const periods = plan.periods.boundaries.length - 1

type Cells = ReadonlyMap<number, ReadonlySet<number>>
type Unit = ReadonlyMap<string, Cells>

const cells = fc
  .array(
    fc.tuple(
      fc.nat({ max: Math.min(periods, rows + 2) - 1 }),
      fc.array(fc.nat({ max: columns - 1 }), { maxLength: 4 })
    ),
    {
      minLength: 1,
      maxLength: 3
    }
  )
  .map((all): Cells => new Map(all.map(([cohort, retained]) => [cohort, new Set(retained)])))

const units = fc.array(
  fc
    .array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), cells), { minLength: 1, maxLength: 3 })
    .map((all): Unit => new Map(all)),
  { maxLength: 12 }
)

const bits = new ColumnBits(plan.criterion)

const bitsOf = (set: ReadonlySet<number>): ReadonlyArray<number> => {
  const words = Array.from({ length: bits.words }, () => 0)
  const intervals = [...set].map((column) => column + 1).sort((a, b) => a - b)
  bits.mark(words, 0, intervals, intervals.length, 0)
  return words
}

const told = (own: Unit): ReadonlyArray<GroupCells> =>
  [...own].map(([group, all]) => ({
    group: [group],
    cells: {
      cohorts: [...all.keys()],
      retained: [...all.values()].flatMap(bitsOf)
    }
  }))

/** The rows of the units that have any of the groups, each unit once. */
const expected = (all: ReadonlyArray<Unit>, groups: ReadonlyArray<string>) => {
  const sizes = Array.from({ length: periods }, () => 0)
  const counts = sizes.map(() => Array.from({ length: columns }, () => 0))
  for (const own of all)
    for (let cohort = 0; cohort < periods; cohort++) {
      const sets = groups.map((group) => own.get(group)?.get(cohort)).filter((set) => set !== undefined)
      if (sets.length > 0) sizes[cohort]!++
      for (let column = 0; column < columns; column++)
        if (sets.some((set) => set.has(column))) counts[cohort]![column]!++
    }
  return retentionRows(plan, sizes, counts)
}

describe("the tally of retention", () => {
  it.prop(
    "counts each unit once in each group that is shown, and once in what is merged",
    [units, fc.integer({ min: 1, max: 3 })],
    ([all, breakdownLimit]) => {
      const tally = new RetentionTally({ ...plan, breakdownLimit })
      for (const own of all) tally.add(told(own))
      const names = ["a", "b", "c", "d"]
      const totals = names.map((name) => expected(all, [name]).reduce((sum, { size }) => sum + size, 0))
      const scored = names.flatMap((name, at) => (totals[at]! > 0 ? [[[name], totals[at]!] as const] : []))
      const shown = topGroups(scored, breakdownLimit)
      const rest = scored.filter(([values]) => !shown.some((each) => groupKey(each) === groupKey(values)))
      const series = shown.map((values) => ({
        group: { values, isOther: false },
        rows: expected(all, [String(values[0])])
      }))
      const merged = {
        group: { values: [], isOther: true },
        rows: expected(
          all,
          rest.map(([[name]]) => String(name))
        )
      }
      assert.deepStrictEqual(tally.answer(), { series: rest.length === 0 ? series : [...series, merged] })
    },
    { fastCheck: { numRuns: runCount(1000) } }
  )

  it("is the counts of all units where nothing is broken down", () => {
    const tally = new RetentionTally({ ...plan, breakdowns: [] })
    const own: Unit = new Map([["a", new Map([[1, new Set([0, 33])]])]])
    tally.add(told(own))
    tally.add(told(own))
    assert.deepStrictEqual(tally.answer().series[0]?.rows, expected([own, own], ["a"]))
  })
})
