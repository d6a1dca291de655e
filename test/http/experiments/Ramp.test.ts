import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf, refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

describe.each(stores)("ramps over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it("ramp: set, advance, pause, resume and re-plan", async () => {
    const steps = [
      { at: hours(1), percent: 20 },
      { at: hours(2), percent: 50 }
    ]
    const { path } = await lab.begin({ rollout: { percent: 5, steps } })
    const rollout = `${path}/rollout`
    const first = await lab.call("GET", rollout)
    assert.deepStrictEqual(keysOf(first.body), ["history", "percent", "status", "steps"])
    assert.deepStrictEqual(
      [first.body.percent, first.body.status, first.body.steps],
      [5, "ramping", steps.map((step) => ({ ...step, state: "pending" }))]
    )
    const change = (body: object) => lab.call("PATCH", rollout, body)
    assert.deepInclude((await change({ action: "advance" })).body, { percent: 20, status: "ramping" })
    assert.strictEqual((await change({ action: "pause" })).body.status, "paused")
    assert.strictEqual((await lab.call("GET", path)).body.status, "paused")
    refused(await change({ action: "pause" }), 409, "ROLLOUT_CONFLICT")
    assert.strictEqual((await change({ action: "resume" })).body.status, "ramping")
    refused(await change({ action: "resume" }), 409, "ROLLOUT_CONFLICT")
    refused(await change({ action: "replaceSteps", steps: [{ at: hours(-1), percent: 1 }] }), 422, "EXPERIMENT_INVALID")
    assert.strictEqual(
      (await change({ action: "replaceSteps", steps: [{ at: hours(3), percent: 80 }] })).body.steps.length,
      2
    )
    const set = await change({ action: "set", percent: 1 })
    assert.deepInclude(set.body, { percent: 1, status: "idle" })
    refused(await change({ action: "advance" }), 409, "ROLLOUT_CONFLICT")
    refused(await change({ action: "set" }), 400, "VALIDATION_FAILED")
    refused(await change({ action: "set", percent: -1 }), 400, "VALIDATION_FAILED")
    assert.deepStrictEqual(
      set.body.history.map(({ action }: { action: string }) => action),
      ["advance", "pause", "resume", "replaceSteps", "set"]
    )
    await lab.call("POST", `${path}/terminate`)
    refused(await change({ action: "set", percent: 5 }), 409, "EXPERIMENT_ENDED")
  })

  it("ramp no further on a state that somebody else has changed", async () => {
    const { path } = await lab.begin({ rollout: { percent: 5, steps: [{ at: hours(1), percent: 20 }] } })
    const change = (body: object) => lab.call("PATCH", `${path}/rollout`, body)
    const read = async () => (await lab.call("GET", path)).body.updatedAt
    const basedOn = await read()
    const theirs = (await change({ action: "set", percent: 10, basedOn })).body
    for (const mine of [
      { action: "set", percent: 50 },
      { action: "advance" },
      { action: "pause" },
      { action: "resume" },
      { action: "replaceSteps", steps: [] }
    ])
      refused(await change({ ...mine, basedOn }), 409, "EXPERIMENT_CHANGED")
    assert.deepStrictEqual((await lab.call("GET", `${path}/rollout`)).body, theirs)
    assert.strictEqual((await change({ action: "set", percent: 50, basedOn: await read() })).body.percent, 50)
    assert.strictEqual((await change({ action: "set", percent: 60 })).body.percent, 60)
    await lab.end(path)
  })

  it("show with the experiment the steps that are to come, and none that was skipped or taken early", async () => {
    const steps = [1, 2, 3].map((at) => ({ at: hours(at), percent: 10 * at }))
    const { path } = await lab.begin({ rollout: { percent: 5, steps } })
    const shown = async () => (await lab.call("GET", path)).body.rollout
    const change = (body: object) => lab.call("PATCH", `${path}/rollout`, body)
    assert.deepStrictEqual(await shown(), { percent: 5, steps })
    await change({ action: "advance" })
    assert.deepStrictEqual(await shown(), { percent: 10, steps: steps.slice(1) })
    await change({ action: "set", percent: 15 })
    assert.deepStrictEqual(await shown(), { percent: 15, steps: [] })
    await change({ action: "replaceSteps", steps: steps.slice(0, 1) })
    assert.deepStrictEqual(await shown(), { percent: 15, steps: steps.slice(0, 1) })
    await lab.end(path)
    assert.deepStrictEqual(await shown(), { percent: 15, steps: [] })
  })

  it("can be started in a copy, whatever has become of their plan", async () => {
    const steps = [
      { at: hours(4), percent: 20 },
      { at: hours(5), percent: 50 },
      { at: hours(9), percent: 90 }
    ]
    const { path } = await lab.begin({ rollout: { percent: 5, steps } })
    const change = (body: object) => lab.call("PATCH", `${path}/rollout`, body)
    await change({ action: "advance" })
    await change({ action: "set", percent: 30 })
    const anew = [
      { at: hours(3), percent: 60 },
      { at: hours(5), percent: 70 },
      { at: hours(8), percent: 80 }
    ]
    await change({ action: "replaceSteps", steps: anew })
    assert.strictEqual((await lab.call("PATCH", path, { endsAt: hours(7) })).status, 200)
    const { body: copy } = await lab.call("POST", `${path}/copy`)
    await lab.end(path)
    assert.deepStrictEqual(copy.rollout, { percent: 5, steps: anew.slice(0, 2) })
    const started = await lab.call("POST", `${lab.root}/experiments/${copy.id}/start`)
    assert.deepInclude(started.body, { status: "active", rollout: copy.rollout })
    await lab.end(`${lab.root}/experiments/${copy.id}`)
  })
})
