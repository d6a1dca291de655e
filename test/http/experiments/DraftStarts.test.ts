import { assert, beforeAll, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { drafted, group, hours, proportion } from "../../support/experiments/Drafts.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

/** What a draft may be that no experiment may, and what its start is then refused for. */
const unfinished: ReadonlyArray<readonly [string, object, number, string]> = [
  ["without groups", { groups: [] }, 422, "EXPERIMENT_INVALID"],
  ["of one group", { groups: [group("a", 10_000)] }, 422, "EXPERIMENT_INVALID"],
  ["of weights that add up to less", { groups: [group("a", 1), group("b", 2)] }, 422, "EXPERIMENT_INVALID"],
  ["of two groups called the same", { groups: [group("a", 5000), group("a", 5000)] }, 422, "EXPERIMENT_INVALID"],
  ["that ends before it starts", { startsAt: hours(2), endsAt: hours(1) }, 422, "EXPERIMENT_INVALID"],
  [
    "whose steps have passed meanwhile",
    { startsAt: hours(-2), rollout: { percent: 10, steps: [{ at: hours(-1), percent: 100 }] } },
    422,
    "EXPERIMENT_INVALID"
  ],
  ["for a cohort that is not there", { targeting: { cohortIds: [999_999] } }, 422, "REFERENCE_INVALID"],
  [
    "for what the server is to say of a unit, and does not",
    { targeting: { conditions: [{ property: "unit.level", operator: "is", value: true }] } },
    422,
    "EXPERIMENT_INVALID"
  ],
  [
    "with two metrics of one id",
    { metrics: { goals: [proportion("a")], guardrails: [proportion("a")] } },
    422,
    "EXPERIMENT_INVALID"
  ]
]

describe.each(stores)("starts of drafts over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it.each(unfinished)("%s are kept, and do not start", async (_, more, status, code) => {
    const { made, path } = await drafted(lab, more)
    refused(await lab.call("POST", `${path}/start`), status, code)
    assert.deepStrictEqual((await lab.call("GET", path)).body, made)
  })

  it("start once, under their id, as any experiment does", async () => {
    const { configuration, made, path } = await drafted(lab)
    const answers = await Promise.all(Array.from({ length: 6 }, () => lab.call("POST", `${path}/start`)))
    const [started, ...others] = answers.toSorted((one, other) => one.status - other.status)
    for (const other of others) refused(other, 409, "EXPERIMENT_STARTED")
    assert.deepInclude(started!.body, { id: made.id, status: "active", createdAt: made.createdAt, groups: made.groups })
    assert.deepStrictEqual((await lab.call("GET", path)).body, started!.body)
    const all = (await lab.call("GET", `${lab.root}/experiments`)).body
    assert.strictEqual(all.filter(({ id }: { id: number }) => id === made.id).length, 1)
    assert.include((await lab.sdk("GET", "status")).text, made.name)
    refused(await lab.create(configuration.id), 409, "PATH_LOCKED")
    refused(await lab.call("DELETE", path), 409, "EXPERIMENT_STARTED")
    const evaluated = await lab.evaluate(configuration.name, "unit-1")
    assert.deepStrictEqual(
      evaluated.experiments.map(({ experimentId }: { experimentId: number }) => experimentId),
      [made.id]
    )
    await lab.end(path)
  })

  it("start when they plan to, when they are told to, or now", async () => {
    const later = hours(4)
    const planned = await drafted(lab, { startsAt: later })
    const scheduled = await lab.call("POST", `${planned.path}/start`)
    assert.deepInclude(scheduled.body, { status: "scheduled", startsAt: later })
    const past = await drafted(lab, { startsAt: hours(-4) })
    const now = (await lab.call("POST", `${past.path}/start`, {})).body
    assert.isTrue(now.status === "active" && now.startsAt > hours(-1))
    const told = await drafted(lab, { startsAt: later })
    const startsAt = hours(-2)
    const since = (await lab.call("POST", `${told.path}/start`, { startsAt })).body
    assert.deepInclude(since, { status: "active", startsAt })
    const ramped = await drafted(lab, { rollout: { percent: 10, steps: [{ at: hours(-1), percent: 100 }] } })
    const filled = (await lab.call("POST", `${ramped.path}/start`, { startsAt })).body
    assert.deepStrictEqual(
      filled.phases.map(({ percent }: { percent: number }) => percent),
      [10, 100]
    )
  })

  it("are told to webhooks as the start of any experiment is", async () => {
    const home = `/organization/${lab.studio.organizationId}/webhooks`
    const hook = { name: "Chat", url: "https://hooks.studio.example/in", types: ["experiment.started"] }
    const { id } = (await lab.call("POST", home, hook)).body
    const { path } = await drafted(lab)
    assert.strictEqual((await lab.call("POST", `${path}/start`)).body.status, "active")
    const { items } = (await lab.call("GET", `${home}/${id}/deliveries`)).body
    assert.deepStrictEqual(
      items.map(({ type }: { readonly type: string }) => type),
      ["experiment.started"]
    )
    await lab.end(path)
  })

  it("do not start on a path that another holds, and stay drafts", async () => {
    const { configuration, made, path } = await drafted(lab)
    const first = await lab.create(configuration.id)
    refused(await lab.call("POST", `${path}/start`), 409, "PATH_LOCKED")
    assert.deepStrictEqual((await lab.call("GET", path)).body, made)
    await lab.end(`${lab.root}/experiments/${first.body.id}`)
    assert.strictEqual((await lab.call("POST", `${path}/start`)).body.status, "active")
  })
})
