import { assert, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

/** So many experiments of a million characters each have room in an environment. */
const most = 16

describe.each(stores)("experiments that have not ended over %s", (_, store) => {
  const { request } = testApp(store)

  it("have at most 16 MiB together, drafts that are started included", async () => {
    const lab = await laboratoryOf(request, "ada")
    const control = { name: "control", weight: 5000, isControl: true, changeset: { operations: [] } }
    const changeset = lab.changing(["shop", "banner"], "x".repeat(1_000_000))
    const large = { groups: [control, { name: "large", weight: 5000, changeset }] }
    const begun: Array<string> = []
    for (let each = 0; each < most; each++) {
      const { experiment, path } = await lab.begin(large)
      assert.strictEqual(experiment.status, "active")
      begun.push(path)
    }
    const { id } = await lab.configure()
    const draft = await lab.create(id, { ...large, status: "draft" })
    const start = `${lab.root}/experiments/${draft.body.id}/start`
    refused(await lab.create(id, large), 409, "EXPERIMENT_LIMIT_REACHED")
    refused(await lab.call("POST", start), 409, "EXPERIMENT_LIMIT_REACHED")
    const kept = await lab.call("GET", `${lab.root}/experiments/${draft.body.id}`)
    assert.deepStrictEqual([kept.status, kept.body.status], [200, "draft"])
    const counted = (filters: number) => {
      const filter = { source: "argument", name: "item", operator: "is", value: Array(20).fill("x".repeat(200)) }
      const all = Array.from({ length: filters }, () => filter)
      const goals = Array.from({ length: 10 }, (_, at) => ({
        id: `goal${at}`,
        name: "Bought",
        type: "proportion",
        marker: "Bought",
        filters: all,
        withinDays: 7
      }))
      return { metrics: { goals, guardrails: [] } }
    }
    refused(await lab.call("PATCH", begun[0] ?? "", counted(20)), 409, "EXPERIMENT_LIMIT_REACHED")
    assert.strictEqual((await lab.call("PATCH", begun[0] ?? "", counted(1))).status, 200)
    await lab.end(begun[0] ?? "")
    assert.strictEqual((await lab.call("POST", start)).status, 200)
  })
})
