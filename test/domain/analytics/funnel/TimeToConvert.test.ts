import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { timeToConvert } from "../../../../src/domain/analytics/funnel/TimeToConvert.ts"

const plan = (bins: number) => ({ fromStep: 0, toStep: 1, bins })

describe("times to convert", () => {
  it("are told by quartiles and bins of equal width, of which the last includes its end", () => {
    assert.deepStrictEqual(timeToConvert([0, 1000, 2000, 3000, 10_000], plan(5)), {
      count: 5,
      p25Seconds: 1,
      medianSeconds: 2,
      p75Seconds: 3,
      bins: [
        { fromSeconds: 0, toSeconds: 2, count: 2 },
        { fromSeconds: 2, toSeconds: 4, count: 2 },
        { fromSeconds: 4, toSeconds: 6, count: 0 },
        { fromSeconds: 6, toSeconds: 8, count: 0 },
        { fromSeconds: 8, toSeconds: 10, count: 1 }
      ]
    })
  })

  it("are one bin where all are the same, and nothing where there are none", () => {
    assert.deepStrictEqual(timeToConvert([500, 500], plan(5)).bins, [{ fromSeconds: 0.5, toSeconds: 0.5, count: 2 }])
    assert.deepStrictEqual(timeToConvert([], plan(5)), {
      count: 0,
      p25Seconds: null,
      medianSeconds: null,
      p75Seconds: null,
      bins: []
    })
  })

  it("that are where a bin begins are in it, whatever its width is rounded to", () => {
    const { bins } = timeToConvert([0, 9, 18], plan(14))
    assert.deepStrictEqual([bins[6]?.count, bins[7]?.count, bins[7]?.fromSeconds], [0, 1, 0.009])
  })

  it("are each in one bin, whatever their order", () => {
    const durations = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(durations, fc.integer({ min: 1, max: 100 }), (all, bins) => {
        const told = timeToConvert(all, plan(bins))
        assert.strictEqual(
          told.bins.reduce((sum, { count }) => sum + count, 0),
          all.length
        )
        assert.strictEqual(told.bins[0]!.fromSeconds, Math.min(...all) / 1000)
        assert.strictEqual(told.bins.at(-1)!.toSeconds, Math.max(...all) / 1000)
        assert.isTrue(
          told.bins.every(({ fromSeconds }, at) => at === 0 || fromSeconds === told.bins[at - 1]!.toSeconds)
        )
        assert.deepStrictEqual(timeToConvert(all.toReversed(), plan(bins)), told)
      })
    )
  })
})
