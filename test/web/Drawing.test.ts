import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { bucketAt, bucketX, pathOf, ticksBetween, ticksUpTo } from "../../src/web/charts/Scale.ts"
import { csvOf } from "../../src/web/text/Csv.ts"
import { axisText, changeText, numberText } from "../../src/web/text/Numbers.ts"

const frame = { width: 800, height: 300, left: 40, right: 10, top: 10, bottom: 20 }

describe("what charts are drawn by", () => {
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

  it("ticks are few, rise evenly, and hold every value", () => {
    // What is smaller than this is drawn as 0.
    const seen = (value: number) => (Math.abs(value) < 1e-200 ? 0 : value)
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map(seen)
    fc.assert(
      fc.property(value, value, (one, other) => {
        const lowest = Math.min(0, one, other)
        const highest = Math.max(0, one, other)
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
    assert.deepStrictEqual([axisText(1_200_000), axisText(99_999)], ["1.2M", "99,999"])
    assert.deepStrictEqual([changeText(4.96), changeText(-3), changeText(0)], ["+5.0 %", "−3.0 %", "±0.0 %"])
  })

  it("a CSV quotes what needs it, and no cell is a formula of a spreadsheet", () => {
    assert.strictEqual(
      csvOf([
        ["a,b", 'say "hi"', "=1+1", "-5", -5, null],
        ["line\nbreak", "@x", "+y", "plain", 1.5, ""]
      ]),
      `"a,b","say ""hi""",'=1+1,'-5,-5,\r\n"line\nbreak",'@x,'+y,plain,1.5,\r\n`
    )
  })
})
