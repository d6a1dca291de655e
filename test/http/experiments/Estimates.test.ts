import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf, refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const buyers = { id: "buyers", name: "Buyers", type: "proportion", marker: "Purchase" }

describe.each(stores)("estimates over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it("say what metrics are now, and how many players came first on each day", async () => {
    const spent = {
      id: "spent",
      name: "Spent",
      type: "mean",
      marker: "Purchase",
      aggregation: "sum",
      argument: "price"
    }
    const { status, body } = await lab.call("POST", `${lab.root}/experiments/estimate`, {
      metrics: [buyers, spent],
      days: 7
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.deepStrictEqual(keysOf(body), ["asOf", "metrics", "units", "unitsByDay"])
    assert.deepStrictEqual([body.units, body.unitsByDay], [0, [0, 0, 0, 0, 0, 0, 0]])
    assert.deepStrictEqual(body.metrics, [
      { id: "buyers", n: 0, mean: null, variance: null },
      { id: "spent", n: 0, mean: null, variance: null }
    ])
  })

  it.each([
    [
      "a sum without an argument",
      { metrics: [{ ...buyers, type: "mean", aggregation: "sum" }] },
      422,
      "EXPERIMENT_INVALID"
    ],
    [
      "a funnel that is not there",
      { metrics: [{ id: "f", name: "F", type: "funnel", queryId: "00000000-0000-4000-8000-000000000099" }] },
      422,
      "EXPERIMENT_INVALID"
    ],
    [
      "a cohort that is not there",
      { filters: [{ source: "cohort", name: "x", operator: "isIn", value: [99] }] },
      422,
      "REFERENCE_INVALID"
    ],
    ["more than 90 days", { days: 91 }, 400, "VALIDATION_FAILED"]
  ] as const)("refuse %s", async (_, body, status, code) => {
    refused(await lab.call("POST", `${lab.root}/experiments/estimate`, body), status, code)
  })
})
