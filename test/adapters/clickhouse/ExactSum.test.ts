import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type SumParts, sumOfParts } from "../../../src/adapters/clickhouse/questions/ExactSum.ts"
import { exactSum } from "../../../src/domain/analytics/insight/Sum.ts"
import { runCount } from "../../support/Runs.ts"

const view = new DataView(new ArrayBuffer(8))

/** What ClickHouse sums up: usual doubles as whole multiples of 2^-72, others by exponent in two halves. */
const partsOf = (doubles: ReadonlyArray<number>): SumParts => {
  let usual = 0n
  const sums = new Map<number, readonly [low: bigint, high: bigint]>()
  for (const double of doubles) {
    view.setFloat64(0, double)
    const bits = view.getBigUint64(0)
    const exponent = Number((bits >> 52n) & 2047n)
    if (exponent >= 1003 && exponent <= 1042) usual += BigInt(double * 2 ** 72)
    else if (double !== 0) {
      const mantissa = (bits & (2n ** 52n - 1n)) | (exponent === 0 ? 0n : 2n ** 52n)
      const sign = double < 0 ? -1n : 1n
      const [low, high] = sums.get(exponent) ?? [0n, 0n]
      sums.set(exponent, [low + sign * (mantissa & (2n ** 26n - 1n)), high + sign * (mantissa >> 26n)])
    }
  }
  const found = [...sums]
  return [
    String(usual),
    found.map(([exponent]) => exponent),
    found.map(([, [low]]) => String(low)),
    found.map(([, [, high]]) => String(high))
  ]
}

const double = fc.oneof(
  fc.double({ min: -1e300, max: 1e300, noNaN: true }),
  fc.double({ min: -1000, max: 1000, noNaN: true }),
  fc.constantFrom(0, 0.1, -0.1, 2 ** -20, 2 ** 20, -(2 ** 20), 1_048_575.999_999_999_9, 1e16, -1e16, 5e-324)
)

it("The parts of doubles of any size give their sum to the last bit", () =>
  fc.assert(
    fc.property(fc.array(double, { maxLength: 40 }), (doubles) =>
      assert.strictEqual(sumOfParts(partsOf(doubles)), exactSum(doubles))
    ),
    { numRuns: runCount(2000) }
  ))
