import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { adjust } from "../../../../src/domain/experiments/statistics/MultipleTesting.ts"
import { gap } from "../../../support/analytics/Gap.ts"
import { vectors as published } from "../../../support/Vectors.ts"
import { runCount } from "../../../support/Runs.ts"

interface Case {
  readonly method: "holm" | "benjamini-hochberg"
  readonly pValues: ReadonlyArray<number>
  readonly adjustedByInputOrder: ReadonlyArray<number>
}

describe("multiple testing", () => {
  const vectors = published<{ readonly cases: ReadonlyArray<Case> }>("multiple-testing.json")
  it("agrees with the reference", () => {
    for (const { method, pValues, adjustedByInputOrder } of vectors.cases) {
      const adjusted = adjust(method === "holm" ? "holm" : "benjaminiHochberg", pValues)
      assert.strictEqual(adjusted.length, adjustedByInputOrder.length)
      for (const [index, value] of adjusted.entries()) {
        assert.isNull(gap(value, adjustedByInputOrder[index]!), `${method} ${pValues.join(" ")} at ${index}`)
      }
    }
  })

  it("keeps the order, never lowers a p-value, never passes 1, and Holm is the stricter", () => {
    const pValues = FastCheck.array(
      FastCheck.oneof(FastCheck.double({ min: 0, max: 1, noNaN: true }), FastCheck.constantFrom(0, 0.01, 0.05, 1)),
      { maxLength: 12 }
    )
    FastCheck.assert(
      FastCheck.property(pValues, (pValues) => {
        const holm = adjust("holm", pValues)
        const discoveries = adjust("benjaminiHochberg", pValues)
        for (const [i, p] of pValues.entries()) {
          assert.isTrue(holm[i]! >= p && holm[i]! <= 1)
          assert.isTrue(discoveries[i]! >= p && discoveries[i]! <= 1)
          assert.isAtLeast(holm[i]!, discoveries[i]! - 1e-15)
          for (const [j, q] of pValues.entries()) {
            if (p <= q) assert.isTrue(holm[i]! <= holm[j]! && discoveries[i]! <= discoveries[j]!)
          }
        }
      }),
      { numRuns: runCount(2_000) }
    )
  })
})
