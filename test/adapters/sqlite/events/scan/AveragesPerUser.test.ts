import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { columnName } from "../../../../../src/adapters/sqlite/events/format/ColumnName.ts"
import { averagesPerUser } from "../../../../../src/adapters/sqlite/events/scan/AveragesPerUser.ts"
import { groupBy } from "../../../../../src/domain/analytics/filter/Grouping.ts"
import { exactSum } from "../../../../../src/domain/analytics/insight/Sum.ts"
import { runCount } from "../../../../support/Runs.ts"
import { blockOf } from "../BlockOf.ts"

/** A row a millisecond. */
interface Row {
  readonly unit: number
  readonly group: number
  /** NaN for none. */
  readonly value: number
}

const price = columnName.argument("price")

const populationOf = (rows: ReadonlyArray<Row>) => ({
  selections: [
    {
      block: blockOf({
        rows: rows.length,
        columnNames: [price],
        units: () => Uint32Array.from(rows, ({ unit }) => unit),
        column: () => ({ type: "numbers", values: Float64Array.from(rows, ({ value }) => value) })
      }),
      rows: null,
      from: 0,
      to: rows.length
    }
  ],
  groups: [{ values: Uint8Array.from(rows, ({ group }) => group), table: null, counts: null, column: null }],
  memory: { bytes: 0, hold: () => {} }
})

const mean = (values: ReadonlyArray<number>): number | null =>
  values.length === 0 ? null : exactSum(values) / values.length

/** What the answer should be: the mean of the means of the units. */
const byHand = (rows: ReadonlyArray<Row>): number | null => {
  const counted = rows.filter(({ unit, value }) => unit !== 0 && !Number.isNaN(value))
  return mean([...groupBy(counted, ({ unit }) => unit).values()].map((own) => mean(own.map(({ value }) => value)) ?? 0))
}

/** Compares each cell and each group's average of three ranges with what it should be, whether or not the answer is cumulative. */
const compare = (rows: ReadonlyArray<Row>, groups: number): void => {
  const third = Math.ceil(rows.length / 3)
  const ranges = [0, 1, 2].map((at) => ({ from: at * third, to: (at + 1) * third }))
  const units = Math.max(0, ...rows.map(({ unit }) => unit)) + 1
  const remap = Int32Array.from({ length: groups }, (_, group) => group)
  const grid = { ranges, groups, remap }
  for (const cumulative of [false, true]) {
    const found = averagesPerUser(populationOf(rows), grid, "price", units, cumulative)
    for (let group = 0; group < groups; group++) {
      for (const [from, to] of [[0, 1], [1, 2], [2, 3], [0, 3], ...(cumulative ? [[0, 2]] : [])] as const) {
        const own = rows.filter((row, at) => row.group === group && at >= from! * third && at < to! * third)
        const [actual, expected] = [found(group, from!, to!), byHand(own)]
        if (expected === null) assert.isTrue(actual === null || Number.isNaN(actual))
        else assert.deepStrictEqual(actual! + 0, expected + 0)
      }
    }
  }
}

const usual = fc.oneof(
  fc.constant(NaN),
  fc.integer({ min: -5, max: 5000 }).map((cents) => cents / 100),
  fc.integer({ min: -10, max: 10 })
)
const unusual = fc.oneof(usual, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-0, 1e-9, 2 ** 40))

const rowsOf = (value: fc.Arbitrary<number>, groups: number) =>
  fc.array(fc.record({ unit: fc.integer({ min: 0, max: 5 }), group: fc.integer({ min: 0, max: groups - 1 }), value }), {
    maxLength: 60
  })

describe("averages per user", () => {
  it("are the means of the users' means, rounded once, in each range and group", () => {
    fc.assert(
      fc.property(rowsOf(usual, 3), (rows) => compare(rows, 3)),
      { numRuns: runCount(200) }
    )
  })

  it("are so for values of any size", () => {
    fc.assert(
      fc.property(rowsOf(unusual, 3), (rows) => compare(rows, 3)),
      { numRuns: runCount(200) }
    )
  })

  it("are so where large values cancel each other, so that what is left shows each rounding on the way", () => {
    const small = fc.array(fc.double({ min: 1e-9, max: 1e-7, noNaN: true }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e4, max: 1e5, noNaN: true }), { minLength: 1 }), small, (large, rest) => {
        const values = [...large, ...rest, ...large.map((value) => -value)]
        compare(
          [...values, ...values, ...values].map((value) => ({ unit: 1, group: 0, value })),
          1
        )
      }),
      { numRuns: runCount(100) }
    )
    // Of so many values, each 2^11 steps and all but a half of the next one, the rests add up to more than a double holds.
    const pair = [2 ** 11 + 0.5 - 2 ** -41, -(2 ** 11)]
    const many = Array.from({ length: 30_000 }, () => pair).flat()
    compare(
      [...many, 2 ** 38, -(2 ** 38)].map((value) => ({ unit: 1, group: 0, value })),
      1
    )
  })

  it("are so for a user who is in many groups or has many values, and for more users than there was room for", () => {
    const row = (at: number, unit: number, group: number): Row => ({
      unit,
      group,
      value: ((at * 7919) % 100_003) / 100
    })
    compare(
      Array.from({ length: 400 }, (_, at) => row(at, 1 + (at % 3), at % 40)),
      40
    )
    compare(
      Array.from({ length: 15_000 }, (_, at) => row(at, 1, 0)),
      1
    )
    compare(
      Array.from({ length: 6000 }, (_, at) => row(at, 1 + (at % 2500), at % 2)),
      2
    )
  })
})
