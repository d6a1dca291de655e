import { assert, describe, it } from "@effect/vitest"
import { powersBetween, ticksBetween, ticksUpTo } from "../../../src/web/charts/Scale.ts"
import { axisTexts } from "../../../src/web/text/Numbers.ts"

describe("the numbers of an axis", () => {
  const axes: ReadonlyArray<readonly [highest: number, expected: ReadonlyArray<string>]> = [
    [2e-6, ["0", "5e−7", "1e−6", "1.5e−6", "2e−6"]],
    [0.0009, ["0", "0.00025", "0.0005", "0.00075", "0.001"]],
    [0.9, ["0", "0.25", "0.5", "0.75", "1"]],
    [9, ["0", "2.5", "5", "7.5", "10"]],
    [80_000, ["0", "20,000", "40,000", "60,000", "80,000"]],
    [150_000, ["0", "50K", "100K", "150K"]],
    [950_000, ["0", "250K", "500K", "750K", "1M"]],
    [4e15, ["0", "1e15", "2e15", "3e15", "4e15"]],
    [0, ["0", "1"]]
  ]
  it.each(axes)("numbers of an axis up to %s have one notation", (highest, expected) => {
    assert.deepStrictEqual(axisTexts(ticksUpTo(highest)), expected)
  })

  it("an axis says each tick as it is: below zero, in percent, by powers of ten", () => {
    assert.deepStrictEqual(axisTexts(ticksBetween(-1.2, 1)), ["−1.5", "−1", "−0.5", "0", "0.5", "1"])
    assert.deepStrictEqual(axisTexts(ticksUpTo(9), " %"), ["0 %", "2.5 %", "5 %", "7.5 %", "10 %"])
    assert.deepStrictEqual(axisTexts(ticksUpTo(0.9), " %"), ["0 %", "0.25 %", "0.5 %", "0.75 %", "1 %"])
    assert.deepStrictEqual(axisTexts(powersBetween(0.02, 90_000)), [
      ...["0.01", "0.1", "1", "10", "100", "1K", "10K", "100K"]
    ])
  })
})
