import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf } from "../../support/Caller.ts"
import { cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("what uses a cohort, over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory
  let analyst: ReturnType<typeof cohortAnalystOf>

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
    analyst = cohortAnalystOf(request, lab.studio)
  })

  const buyers = { name: "Buyers", type: "proportion", marker: "Purchase" }
  const within = (id: number) => [{ source: "cohort", name: "Payers", operator: "isIn", value: [id] }]

  it("is an experiment of which any metric is filtered by it, which does not keep it from being deleted", async () => {
    const { id } = await analyst.list("payers", ["a"])
    const goal = { ...buyers, id: "goal", filters: within(id) }
    const below = { id: "ratio", name: "Ratio", type: "ratio", marker: "Purchase" }
    const guardrail = { ...below, denominator: { marker: "Login", filters: within(id) } }
    const plain = await lab.begin({ metrics: { goals: [{ ...buyers, id: "plain" }] } })
    const first = await lab.begin({ metrics: { goals: [goal] } })
    const second = await lab.begin({ metrics: { goals: [], guardrails: [guardrail] } })
    await lab.end(second.path)
    const { experiments, metricExperiments } = (await analyst.call("GET", `/${id}/usage`)).body
    assert.deepStrictEqual(experiments, [])
    assert.deepStrictEqual(metricExperiments, [
      { id: first.experiment.id, name: first.experiment.name, status: "active" },
      { id: second.experiment.id, name: second.experiment.name, status: "terminated" }
    ])
    assert.notInclude(JSON.stringify(metricExperiments), plain.experiment.name)
    const use = (await analyst.call("GET", "/usage")).body.find((each: { id: number }) => each.id === id)
    assert.deepStrictEqual(keysOf(use), ["experiments", "id", "metricExperiments", "perDay90", "queries"])
    assert.deepStrictEqual(use.metricExperiments, metricExperiments)
    assert.strictEqual((await analyst.call("DELETE", `/${id}`)).status, 204)
  })

  it("is in both lists where an experiment targets it and measures by it", async () => {
    const { id } = await analyst.list("both", ["a"])
    const metrics = { goals: [{ ...buyers, id: "goal", filters: within(id) }] }
    const { experiment } = await lab.begin({ targeting: { cohortIds: [id] }, metrics })
    const { experiments, metricExperiments } = (await analyst.call("GET", `/${id}/usage`)).body
    assert.deepStrictEqual(
      [experiments, metricExperiments],
      [[{ id: experiment.id, name: experiment.name, status: "active" }], experiments]
    )
  })
})
