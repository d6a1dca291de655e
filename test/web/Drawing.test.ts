import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { parse } from "csv-parse/sync"
import { execFileSync } from "node:child_process"
import { notePlaces } from "../../src/web/charts/NotePlaces.ts"
import {
  bucketAt,
  bucketX,
  pathOf,
  powersBetween,
  ticksBetween,
  ticksUpTo,
  valueY
} from "../../src/web/charts/Scale.ts"
import { asShares, bandsOf } from "../../src/web/charts/Shares.ts"
import type { ShownSeries } from "../../src/web/insights/Series.ts"
import { benchmarkRates, benchmarksOf } from "../../src/web/retention/Benchmark.ts"
import { csvOf } from "../../src/domain/analytics/table/Csv.ts"
import { changeOf } from "../../src/web/text/Change.ts"
import { curlText, shellWord } from "../../src/web/text/Curl.ts"
import { changeText, numberText, percentText } from "../../src/web/text/Numbers.ts"

const frame = { width: 800, height: 300, left: 40, right: 10, top: 10, bottom: 20 }

describe("what charts are drawn by", () => {
  it("notes stand above their buckets, and those that could not be told apart fold into one", () => {
    const buckets = ["2026-11-01", "2026-11-02", "2026-11-03"].map((day) => `${day}T00:00:00Z`)
    const note = (at: string, text: string) => ({ at, text, detail: "", address: "" })
    const notes = [
      note("2026-11-03T12:00:00Z", "late"),
      note("2026-10-31T23:59:59Z", "before"),
      note("2026-11-01T00:00:00Z", "first"),
      note("2026-11-01T23:59:59Z", "second"),
      note("2026-11-02T10:00:00Z", "third")
    ]
    const told = (width: number) =>
      notePlaces({ ...frame, width }, buckets, notes).map((place) => [
        Math.round(place.x),
        place.notes.map(({ text }) => text)
      ])
    assert.deepStrictEqual(told(800), [
      [40, ["first", "second"]],
      [415, ["third"]],
      [790, ["late"]]
    ])
    assert.deepStrictEqual(told(90), [
      [50, ["first", "second", "third"]],
      [80, ["late"]]
    ])
    assert.deepStrictEqual(notePlaces(frame, [], notes), [])
  })

  const ticks: ReadonlyArray<readonly [highest: number, expected: ReadonlyArray<number>]> = [
    [0, [0, 1]],
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [155, [0, 50, 100, 150, 200]],
    [200, [0, 50, 100, 150, 200]],
    [7, [0, 2, 4, 6, 8]],
    [1_000_000, [0, 250_000, 500_000, 750_000, 1_000_000]]
  ]
  it.each(ticks)("ticks up to %s", (highest, expected) => {
    assert.deepStrictEqual(ticksUpTo(highest), expected)
  })

  const wholeTicks: ReadonlyArray<readonly [highest: number, expected: ReadonlyArray<number>]> = [
    [1, [0, 1]],
    [2, [0, 1, 2]],
    [5, [0, 2, 4, 6]],
    [10, [0, 5, 10]],
    [100, [0, 25, 50, 75, 100]],
    [155, [0, 50, 100, 150, 200]]
  ]
  it.each(wholeTicks)("whole ticks up to %s", (highest, expected) => {
    assert.deepStrictEqual(ticksUpTo(highest, true), expected)
  })

  it("ticks are few, rise evenly, hold every value, and are whole where they are to be", () => {
    // What is smaller than this is drawn as 0.
    const seen = (value: number) => (Math.abs(value) < 1e-200 ? 0 : value)
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map(seen)
    fc.assert(
      fc.property(value, value, (one, other) => {
        const lowest = Math.min(0, one, other)
        const highest = Math.max(0, one, other)
        const whole = ticksBetween(Math.floor(lowest), Math.ceil(highest), true)
        assert.isTrue(whole.every(Number.isInteger), whole.join())
        assert.isAtMost(whole.length, 11)
        const found = ticksBetween(lowest, highest)
        assert.isAtLeast(found.length, 2)
        assert.isAtMost(found.length, 11)
        const unseen = 1e-6 * (highest - lowest)
        assert.isAtMost(found[0]!, lowest + unseen)
        assert.isAtLeast(found.at(-1)!, highest - unseen)
        assert.isTrue(found.every((tick, index) => index === 0 || tick > found[index - 1]!))
      })
    )
  })

  it("the place of a bucket leads back to the bucket", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.nat(), (count, any) => {
        const index = any % count
        assert.strictEqual(bucketAt(frame, bucketX(frame, index, count), count), index)
      })
    )
  })

  it("a path breaks where there is no value", () => {
    const place = (index: number, value: number) => [index, value] as const
    assert.strictEqual(pathOf([1, 2, null, 4], place), "M0.0 1.0L1.0 2.0M3.0 4.0")
    assert.strictEqual(pathOf([1, 2, 3], place, 1, 1), "M1.0 2.0")
    assert.strictEqual(pathOf([], place), "")
  })

  const numbers: ReadonlyArray<readonly [value: number | null, expected: string]> = [
    [null, "–"],
    [0, "0"],
    [1234567, "1,234,567"],
    [2.625, "2.63"],
    [123.456, "123.5"],
    [-5, "−5"],
    [0.00012345, "0.000123"]
  ]
  it.each(numbers)("the number %s is written %s", (value, expected) => {
    assert.strictEqual(numberText(value), expected)
  })

  it("axes are short and changes have a sign", () => {
    assert.deepStrictEqual([changeText(4.96), changeText(-3), changeText(0)], ["+5.0 %", "−3.0 %", "±0.0 %"])
    assert.deepStrictEqual([changeText(4583.33), percentText(-12_345, 0)], ["+4,583.3 %", "−12,345 %"])
    assert.deepStrictEqual([percentText(0), percentText(99.96), percentText(5, 2)], ["0.0 %", "100.0 %", "5.00 %"])
  })

  it("changes are by the size of what was before: what was below 0 and is above it has grown", () => {
    assert.deepStrictEqual([changeOf(15, 10), changeOf(5, 10), changeOf(10, 10)], [50, -50, 0])
    assert.deepStrictEqual([changeOf(10, -10), changeOf(-5, -10), changeOf(-20, -10)], [200, 50, -100])
    assert.deepStrictEqual(
      [changeOf(1, 0), changeOf(null, 1), changeOf(1, null), changeOf(1, undefined)],
      [null, null, null, null]
    )
  })

  const powers: ReadonlyArray<readonly [smallest: number, greatest: number, expected: ReadonlyArray<number>]> = [
    [3, 155, [1, 10, 100, 1000]],
    [1, 100, [1, 10, 100]],
    [0.002, 0.5, [0.001, 0.01, 0.1, 1]],
    [5, 5, [1, 10]],
    [Infinity, 0, [1, 10]]
  ]
  it.each(powers)("a logarithmic axis from %s to %s", (smallest, greatest, expected) => {
    assert.deepStrictEqual(powersBetween(smallest, greatest), expected)
  })

  it("equal factors are equal distances on a logarithmic axis, and 0 stands at the foot", () => {
    const logarithmic = { ...frame, isLogarithmic: true }
    const axis = [1, 10, 100]
    const at = (value: number) => valueY(logarithmic, value, axis)
    assert.approximately(at(1) - at(10), at(10) - at(100), 1e-9)
    assert.strictEqual(at(0), at(1))
    assert.strictEqual(at(100), frame.top)
  })

  const shown = (key: string, values: ReadonlyArray<number | null>): ShownSeries => ({
    key,
    name: key,
    color: 0,
    values,
    aggregate: null,
    before: null,
    isHidden: false,
    metric: { id: "A", measure: "uniqueUsers" },
    breakdown: [],
    group: undefined
  })

  it("shares of a bucket add up to 100, and areas stand upon each other", () => {
    const value = fc.option(fc.double({ min: -10, max: 1e6, noNaN: true }))
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 6 }), (rows) => {
        const series = rows.map((values, index) => shown(String(index), values))
        const shares = asShares(series)
        for (const at of [0, 1]) {
          const whole = series.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0)
          const sum = shares.reduce((total, { values }) => total + (values[at] ?? 0), 0)
          if (whole === 0) assert.isTrue(shares.every(({ values }) => values[at] === null))
          else assert.approximately(sum, 100, 1e-6)
        }
        const bands = bandsOf(series, 2)
        for (const [index, { from, to }] of bands.entries()) {
          assert.deepStrictEqual(from, index === 0 ? [0, 0] : bands[index - 1]?.to)
          assert.isTrue(to.every((top, at) => top >= (from[at] ?? 0)))
        }
      })
    )
  })

  it("a benchmark holds between those that were set, and alone everywhere", () => {
    const rows: ReadonlyArray<readonly [text: string, rates: ReadonlyArray<number | null>]> = [
      ["", [null, null, null, null]],
      ["2:30", [30, 30, 30, 30]],
      ["1:40,3:20", [40, 30, 20, null]],
      ["2:30,9:9", [null, 30, 27, 24]],
      ["3:20,1:40,3:10,0:5,1:x,2:101", [40, 25, 10, null]]
    ]
    for (const [text, rates] of rows) assert.deepStrictEqual(benchmarkRates(benchmarksOf(text), 4), rates, text)
  })

  it("any text survives a CSV, but for the apostrophe before a formula, and any text survives a shell", () => {
    const cell = fc.string({ maxLength: 12 }).map((text) => text.replaceAll("\u0000", ""))
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 }), (rows) => {
        const read = parse(csvOf(rows), { relax_column_count: true, record_delimiter: "\r\n" })
        const safe = (text: string) => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text)
        assert.deepStrictEqual(
          read,
          rows.map((row) => row.map(safe))
        )
      })
    )
    for (const text of ["plain", "it's", '$HOME `x` \\ "', "''", "two\nlines", ""]) {
      assert.strictEqual(execFileSync("sh", ["-c", `printf %s ${shellWord(text)}`]).toString(), text)
    }
    const line = curlText({ method: "POST", address: "http://localhost/x", environmentId: 3, body: { a: "it's" } })
    assert.include(line, `-H 'environment-id: 3'`)
    assert.include(line, `"authorization: Bearer $SECRET"`)
  })

  it("a CSV quotes what needs it, and no cell is a formula of a spreadsheet", () => {
    assert.strictEqual(
      csvOf([
        ["a,b", 'say "hi"', "=1+1", "-5", -5, null],
        ["line\nbreak", "@x", "+y", "plain", 1.5, ""],
        ["\n=1", "＝1", "＋1", "－1", "＠x", "a=1"]
      ]),
      `"a,b","say ""hi""",'=1+1,'-5,-5,\r\n"line\nbreak",'@x,'+y,plain,1.5,\r\n"'\n=1",'＝1,'＋1,'－1,'＠x,a=1\r\n`
    )
  })
})
