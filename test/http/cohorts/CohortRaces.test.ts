import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CohortRepo } from "../../../src/ports/cohorts/CohortRepo.ts"
import { type CohortAnalyst, cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { makeGate } from "../../support/Gate.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const found = makeGate()

const heldCohorts = Layer.effect(
  CohortRepo,
  Effect.map(CohortRepo, (repo) => ({
    ...repo,
    find: (...of: Parameters<typeof repo.find>) => Effect.zipLeft(repo.find(...of), found.pass)
  }))
)

describe.each(stores)("a cohort that is deleted while an experiment for it begins, over %s", (label, store) => {
  const { request } = testApp(Layer.merge(store, Layer.provide(heldCohorts, store)))
  let lab: Laboratory
  let analyst: CohortAnalyst

  beforeAll(async () => {
    lab = await laboratoryOf(request, `ada-${label}`)
    analyst = cohortAnalystOf(request, lab.studio)
  })

  const prepared = async (name: string) => {
    const { id } = await analyst.list(name, ["ann"])
    const plan = lab.plan((await lab.configure()).id, {
      targeting: { cohortIds: [id], conditions: [], newUsersOnly: false }
    })
    const remove = async () => assert.strictEqual((await analyst.call("DELETE", `/${id}`)).status, 204)
    return { plan, remove }
  }

  it("is not targeted by a new experiment", async () => {
    const { plan, remove } = await prepared("new")
    const path = `${lab.root}/experiments`
    refused(await found.overtaken(() => lab.call("POST", path, plan), remove), 422, "REFERENCE_INVALID")
    assert.deepStrictEqual((await lab.call("GET", path)).body, [])
  })

  it("is not targeted by a draft that is started", async () => {
    const { plan, remove } = await prepared("drafted")
    const draft = (await lab.call("POST", `${lab.root}/experiments`, { ...plan, status: "draft" })).body
    const path = `${lab.root}/experiments/${draft.id}`
    refused(await found.overtaken(() => lab.call("POST", `${path}/start`), remove), 422, "REFERENCE_INVALID")
    assert.strictEqual((await lab.call("GET", path)).body.status, "draft")
  })
})
