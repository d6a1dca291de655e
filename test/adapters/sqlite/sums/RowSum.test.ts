import { runCount } from "../../../support/Runs.ts"
import { FastCheck } from "effect"
import { describe, expect, test } from "vitest"
import { isSound, sumOf, sumOfValues, sumsOf } from "../../../../src/adapters/sql/sums/RowSum.ts"
import * as summed from "../../../../src/adapters/sql/sums/SummedTables.ts"

const value = FastCheck.oneof(
  FastCheck.string({ unit: "grapheme" }),
  FastCheck.integer(),
  FastCheck.maxSafeInteger(),
  FastCheck.constantFrom(0, 9, 10, 999_999_999, 1e9, 1e9 + 1, 1e18 - 2 ** 7, 1e21, 0.5),
  FastCheck.constantFrom(null, "", "-", "#1", "1", 1, "1:1")
)

describe("the checksum of a row", () => {
  test("never changes, because files hold it", () => {
    expect(sumOfValues([1, "Zoë 東京", null, "", -5])).toBe(761_945_272)
    expect(sumOfValues([])).toBe(0)
  })

  test("is another one for other values", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(value), FastCheck.array(value), (one, other) => {
        expect(sumOfValues(one) === sumOfValues(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
      { numRuns: runCount(2000), seed: 7 }
    )
  })

  test("of columns is that of their values", () => {
    const { columns } = summed.assignments
    const row = FastCheck.tuple(...columns.map(() => value))
    FastCheck.assert(
      FastCheck.property(row, (values) => {
        const named = Object.fromEntries(columns.map((name, at) => [name, values[at]]))
        expect(sumOf({ name: "assignments", key: [], columns }, named)).toBe(sumOfValues(values))
      }),
      { numRuns: runCount(1000) }
    )
  })

  test.each(Object.values(summed).map((table) => [table.name, table] as const))(
    "covers every column of %s that it names, and its long one",
    (_, table) => {
      const names = [
        ...table.columns,
        ...(table.apart ? [table.apart.column] : []),
        ...(table.added ? [table.added] : [])
      ]
      const row = Object.fromEntries(
        names.map((name, at) => [name, name === table.added ? 7 : at % 2 === 0 ? at : `${at}`])
      )
      const written = { ...row, ...sumsOf(table, row) }
      expect(isSound(table, written)).toBe(true)
      for (const name of [...names, "rowSum"]) {
        for (const other of name === table.added ? [1e6] : [null, 1e6, "other"])
          expect(isSound(table, { ...written, [name]: other })).toBe(false)
      }
    }
  )

  test("lets a row be read without its long column", () => {
    const row = { document: "{}", name: "main" }
    const { document: _, ...rest } = { ...row, ...sumsOf(summed.configurations, row) }
    expect(isSound(summed.configurations, rest)).toBe(true)
  })
})
