import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EnvironmentId, ExperimentId } from "../../../src/domain/Ids.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { refused } from "../../support/Caller.ts"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

/** So many experiments of a million characters each have room in an environment. */
const most = 16

describe.each(stores)("experiments that have not ended over %s", (_, store) => {
  const { request, run } = testApp(store)

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

  it("and those that have ended have at most 64 MiB with them", async () => {
    const lab = await laboratoryOf(request, "bob")
    const { id } = await lab.configure()
    const control = { name: "control", weight: 5000, isControl: true, changeset: { operations: [] } }
    const changeset = lab.changing(["shop", "banner"], "x".repeat(1_000_000))
    const large = { groups: [control, { name: "large", weight: 5000, changeset }] }
    const { body } = await lab.create(id, large)
    assert.strictEqual((await lab.end(`${lab.root}/experiments/${body.id}`)).status, 200)
    const others = Effect.gen(function* () {
      const repo = yield* ExperimentRepo
      const environment = EnvironmentId.make(lab.studio.development)
      const ended = yield* Effect.flatten(repo.find(environment, ExperimentId.make(body.id)))
      for (let each = 1; each < 67; each++) yield* repo.insert({ ...ended, ...(yield* repo.newIds(0)), revision: 1 })
    })
    await run(others)
    refused(await lab.create(id, large), 409, "EXPERIMENT_LIMIT_REACHED")
    assert.strictEqual((await lab.create(id)).status, 201)
  })

  it("change 1,000 times, and can then still be paused and ended", async () => {
    const lab = await laboratoryOf(request, "cat")
    const { experiment, path } = await lab.begin({})
    const change = (body: object) => lab.call("PATCH", `${path}/rollout`, body)
    assert.strictEqual((await change({ action: "set", percent: 50 })).status, 200)
    const grow = Effect.gen(function* () {
      const repo = yield* ExperimentRepo
      const found = yield* Effect.flatten(
        repo.find(EnvironmentId.make(lab.studio.development), ExperimentId.make(experiment.id))
      )
      const more = found.events.slice(-1).flatMap((event) => Array.from({ length: 998 }, () => event))
      yield* repo.update({ ...found, events: [...found.events, ...more] })
    })
    await run(grow)
    refused(await change({ action: "set", percent: 60 }), 409, "EXPERIMENT_LIMIT_REACHED")
    const weights = experiment.groups.map(({ id }: { readonly id: number }) => ({ groupId: id, weight: 5000 }))
    refused(await lab.call("PATCH", path, { weights }), 409, "EXPERIMENT_LIMIT_REACHED")
    assert.strictEqual((await lab.call("PATCH", path, { name: "Renamed" })).status, 200)
    assert.strictEqual((await change({ action: "pause" })).status, 200)
    refused(await change({ action: "resume" }), 409, "EXPERIMENT_LIMIT_REACHED")
    assert.strictEqual((await lab.end(path)).status, 200)
  })
})
