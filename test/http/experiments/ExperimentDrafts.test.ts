import { assert, beforeAll, describe, it } from "@effect/vitest"
import { bearer, caller, refused } from "../../support/Caller.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { draft, drafted, group, hours, proportion } from "../../support/experiments/Drafts.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("drafts of experiments over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it("hold nothing, and are told to nobody but those who list experiments", async () => {
    const configuration = await lab.configure()
    const before = (await lab.sdk("GET", "status")).body.hash
    const { body: made } = await lab.create(configuration.id, { ...draft, exclusionLayer: "shop", startsAt: hours(9) })
    const path = `${lab.root}/experiments/${made.id}`
    assert.strictEqual((await lab.sdk("GET", "status")).body.hash, before)
    assert.deepInclude(made, { status: "draft", phases: [], terminatedAt: null, exclusionLayer: "shop" })
    assert.deepStrictEqual((await lab.call("GET", path)).body, made)
    assert.deepInclude((await lab.call("GET", `${lab.root}/experiments`)).body, made)
    assert.deepInclude((await lab.call("GET", `${lab.root}/experiments?status=draft`)).body, made)
    assert.notInclude((await lab.call("GET", `${lab.root}/experiments?status=scheduled`)).text, made.name)
    for (const rest of ["analytics-catalog", "assignment-counts"]) {
      const listed = (await lab.call("GET", `${lab.root}/experiments/${rest}`)).body
      assert.isFalse(listed.some((each: { id?: number; experimentId?: number }) => each.id === made.id))
      assert.isFalse(listed.some((each: { experimentId?: number }) => each.experimentId === made.id))
    }
    const price = { changes: [{ op: "set", path: ["price"], value: 11 }] }
    assert.strictEqual((await lab.call("PATCH", `${lab.root}/configuration/${configuration.id}`, price)).status, 200)
    assert.strictEqual((await lab.create(configuration.id, draft)).status, 201)
    for (const rest of ["/results", "/rollout", "/assignments", "/members", "/assignment-counts"]) {
      refused(await lab.call("GET", path + rest), 409, "EXPERIMENT_IS_DRAFT")
    }
    refused(await lab.call("POST", `${path}/terminate`), 409, "EXPERIMENT_IS_DRAFT")
    refused(await lab.call("PATCH", `${path}/rollout`, { action: "set", percent: 5 }), 409, "EXPERIMENT_IS_DRAFT")
    refused(
      await lab.call("POST", `${path}/assignments`, { distinctId: "u", groupId: made.groups[0].id }),
      409,
      "EXPERIMENT_IS_DRAFT"
    )
  })

  it("are refused on a configuration that is not there, and for conditions that cannot be read", async () => {
    refused(await lab.create(999_999, draft), 422, "REFERENCE_INVALID")
    const conditions = [{ property: "properties.level", operator: "greaterThan", value: "x" }]
    const { configuration, path } = await drafted(lab)
    const broken = { targeting: { conditions } }
    refused(await lab.create(configuration.id, { ...draft, ...broken }), 422, "EXPERIMENT_INVALID")
    refused(await lab.call("PUT", path, lab.plan(configuration.id, broken)), 422, "EXPERIMENT_INVALID")
    refused(await lab.call("PUT", path, lab.plan(999_999)), 422, "REFERENCE_INVALID")
    refused(await lab.create(configuration.id, { status: "active" }), 400, "VALIDATION_FAILED")
  })

  it("are not changed or started on a state that somebody else has changed", async () => {
    const { configuration, made, path } = await drafted(lab)
    const seen = made.updatedAt
    const plan = (more: object) => lab.plan(configuration.id, more)
    const theirs = (await lab.call("PUT", path, plan({ holdoutPercent: 10, basedOn: seen }))).body
    assert.isTrue(theirs.updatedAt > seen)
    refused(await lab.call("PUT", path, plan({ rollout: { percent: 10 }, basedOn: seen })), 409, "EXPERIMENT_CHANGED")
    refused(await lab.call("PATCH", path, { name: "mine", basedOn: seen }), 409, "EXPERIMENT_CHANGED")
    refused(await lab.call("POST", `${path}/start`, { basedOn: seen }), 409, "EXPERIMENT_CHANGED")
    assert.deepStrictEqual((await lab.call("GET", path)).body, theirs)
    const started = await lab.call("POST", `${path}/start`, { basedOn: theirs.updatedAt })
    assert.deepStrictEqual([started.status, started.body.status], [200, "active"])
    refused(await lab.call("PATCH", path, { name: "mine", basedOn: seen }), 409, "EXPERIMENT_CHANGED")
    const { updatedAt } = started.body
    const renamed = await lab.call("PATCH", path, { name: "theirs", basedOn: updatedAt })
    assert.deepStrictEqual([renamed.status, renamed.body.name], [200, "theirs"])
    refused(await lab.call("PATCH", path, { hypothesis: "mine", basedOn: updatedAt }), 409, "EXPERIMENT_CHANGED")
    assert.strictEqual((await lab.call("PATCH", path, { hypothesis: "mine" })).status, 200)
  })

  it("may be changed in everything, and groups keep their ids", async () => {
    const { made, path } = await drafted(lab)
    const other = await lab.configure()
    const groups = [group("a", 2000), group("b", 3000), group("c", 5000, { isControl: true })]
    const plan = lab.plan(other.id, {
      groups,
      unitType: "server",
      assignmentMode: "roundRobin",
      targeting: { conditions: [{ property: "properties.level", operator: "greaterThan", value: 3 }] },
      metrics: { goals: [proportion("a")], guardrails: [proportion("b")] },
      exclusionLayer: "ui",
      holdoutPercent: 5,
      rollout: { percent: 1, steps: [{ at: hours(5), percent: 50 }] },
      startsAt: hours(2),
      endsAt: hours(30),
      autoAssignment: false,
      permanentEnrollment: false
    })
    const { status, body } = await lab.call("PUT", path, plan)
    const { groups: changed, targeting, metrics, ...rest } = body
    assert.strictEqual(status, 200)
    const { groups: _groups, targeting: _targeting, metrics: _metrics, ...plain } = plan as Record<string, unknown>
    assert.deepInclude(rest, { ...plain, id: made.id, status: "draft", createdAt: made.createdAt })
    assert.deepStrictEqual(
      changed.slice(0, 2).map(({ id }: { id: number }) => id),
      made.groups.map(({ id }: { id: number }) => id)
    )
    assert.deepStrictEqual(
      changed.map(({ weight, isControl }: { weight: number; isControl: boolean }) => [weight, isControl]),
      [
        [2000, false],
        [3000, false],
        [5000, true]
      ]
    )
    assert.deepStrictEqual([targeting.conditions.length, metrics.guardrails.length], [1, 1])
    const patched = await lab.call("PATCH", path, {
      name: "Other",
      endsAt: null,
      weights: [{ groupId: changed[0].id, weight: 7 }]
    })
    assert.deepInclude(patched.body, { name: "Other", endsAt: null, status: "draft", holdoutPercent: 5 })
    assert.strictEqual(patched.body.groups[0].weight, 7)
    refused(await lab.call("PATCH", path, { dropGroupIds: [changed[0].id] }), 422, "EXPERIMENT_INVALID")
    refused(await lab.call("PATCH", path, { weights: [{ groupId: 999_999, weight: 1 }] }), 422, "EXPERIMENT_INVALID")
    const { experiment } = await lab.begin()
    const running = `${lab.root}/experiments/${experiment.id}`
    refused(await lab.call("PUT", running, plan), 409, "EXPERIMENT_STARTED")
  })

  it("are copied from experiments and drafts with what these were begun with, and no result", async () => {
    const { experiment, path } = await lab.begin({
      startsAt: hours(-3),
      endsAt: hours(30),
      hypothesis: "dear is better",
      exclusionLayer: "copies",
      holdoutPercent: 3,
      metrics: { goals: [proportion("a")] },
      rollout: {
        percent: 10,
        steps: [
          { at: hours(-1), percent: 50 },
          { at: hours(5), percent: 100 }
        ]
      }
    })
    const [control, dear] = experiment.groups
    await lab.call("PATCH", path, {
      weights: [
        { groupId: control.id, weight: 0 },
        { groupId: dear.id, weight: 10_000 }
      ]
    })
    await lab.end(path)
    const { status, body } = await lab.call("POST", `${path}/copy`)
    assert.strictEqual(status, 201)
    const { hypothesis, exclusionLayer, holdoutPercent, metrics, endsAt } = experiment
    assert.deepInclude(body, {
      ...{ hypothesis, exclusionLayer, holdoutPercent, metrics, endsAt },
      name: `${experiment.name} (copy)`,
      status: "draft",
      startsAt: null,
      phases: [],
      terminatedAt: null
    })
    assert.deepStrictEqual(
      [body.rollout.percent, body.rollout.steps.map(({ percent }: { percent: number }) => percent)],
      [10, [100]]
    )
    assert.deepStrictEqual(
      body.groups.map(({ name, weight, changeset }: Record<string, unknown>) => [name, weight, changeset]),
      experiment.groups.map(({ name, changeset }: Record<string, unknown>) => [name, 5000, changeset])
    )
    assert.isTrue(body.id > experiment.id && body.groups[0].id > dear.id)
    const again = await lab.call("POST", `${lab.root}/experiments/${body.id}/copy`)
    assert.strictEqual(again.body.name, `${experiment.name} (copy) (copy)`)
    const long = await drafted(lab, { name: "x".repeat(100) })
    const shortened = (await lab.call("POST", `${long.path}/copy`)).body.name
    assert.strictEqual(shortened, `${"x".repeat(93)} (copy)`)
  })

  it("are deleted, and nothing else is", async () => {
    const { path } = await drafted(lab)
    assert.strictEqual((await lab.call("DELETE", path)).status, 204)
    refused(await lab.call("GET", path), 404, "EXPERIMENT_NOT_FOUND")
    for (const [method, rest] of [
      ["DELETE", ""],
      ["POST", "/start"],
      ["POST", "/copy"]
    ] as const) {
      refused(await lab.call(method, path + rest), 404, "EXPERIMENT_NOT_FOUND")
    }
  })

  it("are those of their environment and studio alone", async () => {
    const { configuration, path } = await drafted(lab)
    const production = caller(request, { ...lab.studio.cookie, environment_id: String(lab.studio.production) })
    const foreign = await openStudio(request, "eve")
    const stranger = caller(request, { ...foreign.cookie })
    const plan = lab.plan(configuration.id)
    for (const [method, rest, body] of [
      ["GET", "", undefined],
      ["PUT", "", plan],
      ["PATCH", "", { name: "x" }],
      ["POST", "/start", {}],
      ["POST", "/copy", undefined],
      ["DELETE", "", undefined]
    ] as const) {
      refused(await production(method, path + rest, body), 404, "EXPERIMENT_NOT_FOUND")
      refused(await stranger(method, path + rest, body), 404, "APPLICATION_NOT_FOUND")
      const own = path.replace(String(lab.studio.applicationId), String(foreign.applicationId))
      refused(await stranger(method, own + rest, body), 404, "EXPERIMENT_NOT_FOUND")
    }
    assert.strictEqual((await lab.call("GET", path)).body.status, "draft")
    refused(await request("POST", `${path}/start`, { headers: bearer("gk_pat_nobody") }), 401, "UNAUTHENTICATED")
  })
})
