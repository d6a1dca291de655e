import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf, refused } from "../../support/Caller.ts"
import { cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const recordKeys = [
  "applicationId",
  "assignmentMode",
  "autoAssignment",
  "baseConfigurationId",
  "cohortComputations",
  "createdAt",
  "createdBy",
  "degraded",
  "description",
  "endsAt",
  "environmentId",
  "exclusionLayer",
  "groups",
  "holdoutPercent",
  "hypothesis",
  "id",
  "metrics",
  "missingPaths",
  "name",
  "permanentEnrollment",
  "phases",
  "rollout",
  "startsAt",
  "status",
  "targeting",
  "terminatedAt",
  "terminationReason",
  "unitType",
  "updatedAt",
  "winnerGroupId"
]

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
const group = (name: string, weight: number, more: object = {}) => ({ name, weight, ...more })
const proportion = (id: string) => ({ id, name: id, type: "proportion", marker: "Purchase" })

describe.each(stores)("experiments over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it("are none at first, and not those of another environment", async () => {
    const production = { ...lab.studio.cookie, environment_id: String(lab.studio.production) }
    for (const path of ["", "/analytics-catalog", "/assignment-counts", "/context-properties"]) {
      const answer = await request("GET", `${lab.root}/experiments${path}`, { headers: production })
      assert.deepStrictEqual([answer.status, answer.body], [200, []])
    }
    const { experiment } = await lab.begin()
    refused(
      await request("GET", `${lab.root}/experiments/${experiment.id}`, { headers: production }),
      404,
      "EXPERIMENT_NOT_FOUND"
    )
  })

  it("start at once, with everything that was said of them", async () => {
    const configuration = await lab.configure()
    const asked = lab.plan(configuration.id, {
      description: "prices",
      hypothesis: "dear is better",
      targeting: { conditions: [{ property: "properties.level", operator: "greaterThan", value: 3 }] },
      metrics: { goals: [proportion("buyers")] },
      holdoutPercent: 5,
      exclusionLayer: "shop"
    })
    const { status, body } = await lab.call("POST", `${lab.root}/experiments`, asked)
    assert.deepStrictEqual([status, keysOf(body)], [201, recordKeys])
    assert.deepInclude(body, {
      name: asked.name,
      status: "active",
      description: "prices",
      exclusionLayer: "shop",
      holdoutPercent: 5,
      degraded: false,
      missingPaths: [],
      endsAt: null,
      terminatedAt: null,
      winnerGroupId: null,
      autoAssignment: true,
      permanentEnrollment: true
    })
    assert.deepStrictEqual(keysOf(body.groups[0]), [
      "changeset",
      "id",
      "isControl",
      "label",
      "name",
      "ordinal",
      "weight"
    ])
    assert.deepStrictEqual(
      body.groups.map((each: { ordinal: number; isControl: boolean }) => [each.ordinal, each.isControl]),
      [
        [0, true],
        [1, false]
      ]
    )
    assert.deepStrictEqual(body.phases, [{ from: body.startsAt, weights: [5000, 5000], percent: 100 }])
    assert.deepStrictEqual((await lab.call("GET", `${lab.root}/experiments/${body.id}`)).body, body)
    assert.deepInclude((await lab.call("GET", `${lab.root}/experiments?status=active`)).body, body)
    assert.deepStrictEqual((await lab.call("GET", `${lab.root}/experiments?status=scheduled`)).body, [])
    refused(await lab.call("GET", `${lab.root}/experiments?status=asleep`), 400, "VALIDATION_FAILED")
    const catalog = (await lab.call("GET", `${lab.root}/experiments/analytics-catalog`)).body
    const entry = catalog.find((each: { id: number }) => each.id === body.id)
    assert.deepStrictEqual(keysOf(entry), ["endsAt", "groups", "id", "name", "startsAt", "status"])
    await lab.call("POST", `${lab.root}/experiments/${body.id}/terminate`)
  })

  it("hold their paths against others and against editors until they end", async () => {
    const { configuration, experiment, path } = await lab.begin()
    const second = await lab.create(configuration.id, { exclusionLayer: "prices" })
    refused(second, 409, "PATH_LOCKED")
    assert.strictEqual(
      second.body.message,
      `Experiment ${experiment.id} holds configuration.price at the same time, whoever takes part: end it first, or choose times that do not overlap`
    )
    const inside = [group("a", 5000), group("b", 5000, { changeset: lab.changing(["shop", "banner"], "winter") })]
    const beside = await lab.create(configuration.id, { groups: inside })
    assert.strictEqual(beside.status, 201)
    const edit = (changes: ReadonlyArray<object>) =>
      lab.call("PATCH", `${lab.root}/configuration/${configuration.id}`, { changes })
    const change = await edit([{ op: "set", path: ["price"], value: 11 }])
    refused(change, 409, "PATH_LOCKED")
    const said = `Experiment ${experiment.id} holds configuration.price until it ends: end it first`
    assert.strictEqual(change.body.message, said)
    refused(await edit([{ op: "set", path: ["shop"], value: {} }]), 409, "PATH_LOCKED")
    assert.strictEqual((await edit([{ op: "set", path: ["secret", "odds"], value: 0.2 }])).status, 200)
    refused(await lab.call("DELETE", `${lab.root}/configuration/${configuration.id}`), 409, "CONFIGURATION_IN_USE")
    assert.strictEqual((await lab.call("POST", `${path}/terminate`)).body.status, "terminated")
    assert.strictEqual((await edit([{ op: "set", path: ["price"], value: 11 }])).status, 200)
    assert.strictEqual((await lab.create(configuration.id)).status, 201)
    assert.notStrictEqual(experiment.id, beside.body.id)
  })

  it("that race for one path are created once", async () => {
    const configuration = await lab.configure()
    const answers = await Promise.all(Array.from({ length: 8 }, () => lab.create(configuration.id)))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 409)])
  })

  it("that never run at the same time may change the same path", async () => {
    const configuration = await lab.configure()
    const first = await lab.create(configuration.id, { startsAt: hours(1), endsAt: hours(2) })
    assert.strictEqual(first.body.status, "scheduled")
    assert.strictEqual((await lab.create(configuration.id, { startsAt: hours(2), endsAt: hours(3) })).status, 201)
    refused(
      await lab.call("PATCH", `${lab.root}/experiments/${first.body.id}`, { endsAt: hours(2.5) }),
      409,
      "PATH_LOCKED"
    )
  })

  it("may be renamed, described, measured, reweighed and given another end", async () => {
    const { experiment, path } = await lab.begin()
    const [control, dear] = experiment.groups
    const endsAt = hours(48)
    const changed = await lab.call("PATCH", path, {
      name: "Renamed",
      description: null,
      metrics: { goals: [proportion("a")], guardrails: [proportion("b")] },
      endsAt,
      weights: [
        { groupId: control.id, weight: 9000 },
        { groupId: dear.id, weight: 1000 }
      ]
    })
    assert.deepStrictEqual([changed.status, keysOf(changed.body)], [200, recordKeys])
    assert.deepInclude(changed.body, { name: "Renamed", description: null, endsAt })
    assert.deepStrictEqual(
      changed.body.phases.map(({ weights }: { weights: ReadonlyArray<number> }) => weights),
      [
        [5000, 5000],
        [9000, 1000]
      ]
    )
    assert.strictEqual(changed.body.metrics.guardrails.length, 1)
    const foreign = { weights: [{ groupId: 999_999, weight: 10_000 }] }
    refused(await lab.call("PATCH", path, foreign), 422, "EXPERIMENT_INVALID")
    refused(await lab.call("PATCH", path, { weights: [{ groupId: dear.id, weight: 5 }] }), 422, "EXPERIMENT_INVALID")
    refused(await lab.call("PATCH", path, { endsAt: hours(-1) }), 422, "EXPERIMENT_INVALID")
    const dropped = await lab.call("PATCH", path, { dropGroupIds: [dear.id] })
    assert.deepStrictEqual(
      dropped.body.groups.map(({ weight }: { weight: number }) => weight),
      [10_000, 0]
    )
    refused(await lab.call("PATCH", path, { dropGroupIds: [control.id] }), 422, "EXPERIMENT_INVALID")
    await lab.call("POST", `${path}/terminate`)
    refused(await lab.call("PATCH", path, { name: "late", endsAt: null }), 409, "EXPERIMENT_ENDED")
  })

  it("end with a winner that becomes the base, in one version", async () => {
    const { configuration, experiment, path } = await lab.begin()
    refused(await lab.call("POST", `${path}/terminate`, { applyToBase: true }), 422, "EXPERIMENT_INVALID")
    refused(await lab.call("POST", `${path}/terminate`, { winnerGroupId: 999_999 }), 422, "EXPERIMENT_INVALID")
    const winnerGroupId = experiment.groups[1].id
    const body = { reason: "clear", winnerGroupId, applyToBase: true }
    const ended = await lab.call("POST", `${path}/terminate`, body)
    assert.strictEqual(ended.status, 200)
    assert.deepInclude(ended.body, { status: "terminated", terminationReason: "clear", winnerGroupId })
    const after = (await lab.call("GET", `${lab.root}/configuration/${configuration.id}`)).body
    assert.deepStrictEqual([after.version, after.configuration.price], [2, 20])
    refused(await lab.call("POST", `${path}/terminate`), 409, "EXPERIMENT_ENDED")
  })

  it("say when the base has lost a path that they change", async () => {
    const configuration = await lab.configure()
    const groups = [group("a", 5000), group("b", 5000, { changeset: lab.changing(["gone", "deep"], 1) })]
    const { degraded, missingPaths, groups: made } = (await lab.create(configuration.id, { groups })).body
    assert.deepStrictEqual([degraded, missingPaths], [true, [{ groupId: made[1].id, path: ["gone", "deep"] }]])
  })

  it("wait for their cohorts, and have them computed again", async () => {
    const analyst = cohortAnalystOf(request, lab.studio)
    const cohort = await analyst.list(`vip ${store === stores[0]?.[1] ? "a" : "b"}`, ["vip"])
    const { experiment, path } = await lab.begin({ targeting: { cohortIds: [cohort.id] } })
    assert.deepStrictEqual(experiment.cohortComputations, [{ cohortId: cohort.id, status: "ready", error: null }])
    const retried = await lab.call("POST", `${path}/cohorts/${cohort.id}/retry`)
    assert.deepStrictEqual([retried.status, keysOf(retried.body)], [202, ["cohortId", "error", "status"]])
    refused(await lab.call("POST", `${path}/cohorts/999999/retry`), 404, "COHORT_NOT_FOUND")
    const usage = (await analyst.call("GET", `/${cohort.id}/usage`)).body
    assert.deepStrictEqual(
      usage.experiments.map(({ id }: { id: number }) => id),
      [experiment.id]
    )
    refused(await analyst.call("DELETE", `/${cohort.id}`), 409, "COHORT_IN_USE")
  })
})
