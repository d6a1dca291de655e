import { assert, beforeAll, describe, it } from "@effect/vitest"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { importCookieCats } from "../../support/experiments/CookieCatsImport.ts"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { testApp } from "../../support/TestApp.ts"

const close = (actual: number, expected: number, digits: number) =>
  assert.approximately(actual, expected, 0.5 * 10 ** -digits)

describe("the published test of Cookie Cats, its 90,189 players and their groups brought in", () => {
  const { request } = testApp(SqliteStores)
  // oxlint-disable-next-line typescript/no-explicit-any
  let results: any

  beforeAll(async () => {
    const lab = await laboratoryOf(request, "ada")
    const { path } = await importCookieCats(lab, request)
    results = (await lab.call("GET", `${path}/results`)).body
  }, 300_000)

  it("counts 44,700 and 45,489 players, and warns of the sample ratio", () => {
    assert.deepStrictEqual(
      results.exposures.map(({ units }: { units: number }) => units),
      [44_700, 45_489]
    )
    close(results.srm.chiSquare, 6.9024, 4)
    close(results.srm.pValue, 0.0086, 4)
    assert.strictEqual(results.srm.verdict, "warning")
  })

  it.each([
    ["day1", 0.448188, 0.442283, -1.7841, 0.07441],
    ["day7", 0.190201, 0.182, -3.1641, 0.001556]
  ])("finds the published retention of %s", (id, before, after, statistic, pValue) => {
    const metric = results.metrics.find((each: { id: string }) => each.id === id)
    const [gate30, gate40] = metric.groups
    close(gate30.mean, before, 6)
    close(gate40.mean, after, 6)
    const [comparison] = metric.comparisons
    close(comparison.frequentist.statistic, statistic, 4)
    assert.approximately(comparison.frequentist.pValue, pValue, 5e-6)
    const [low, high] = comparison.sequential.interval
    const [tightLow, tightHigh] = comparison.frequentist.interval
    assert.isTrue(low < tightLow && tightLow < tightHigh && tightHigh < high)
  })
})
