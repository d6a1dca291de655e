import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { keysOf, refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"
import { assignmentKeys, type Told } from "../../support/experiments/Told.ts"

interface Rejected {
  readonly index: number
  readonly distinctId: string
  readonly code: string
}

describe.each(stores)("assignments by hand over %s", (_, store) => {
  const { request, run } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it("are changed by hand, cleared, taken out and brought back", async () => {
    const { configuration, experiment, path } = await lab.begin()
    const [control, dear] = experiment.groups
    const set = (body: object) => lab.call("POST", `${path}/assignments`, body)
    const byHand = await set({ distinctId: "ann", groupId: dear.id })
    assert.deepStrictEqual([byHand.status, keysOf(byHand.body)], [200, assignmentKeys])
    assert.deepInclude(byHand.body, {
      groupId: dear.id,
      overrideGroupId: dear.id,
      automaticGroupId: null,
      source: "manual",
      assignmentVersion: 1
    })
    assert.strictEqual((await lab.evaluate(configuration.name, "ann")).configuration.price, 20)
    assert.deepStrictEqual((await set({ distinctId: "ann", groupId: dear.id })).body.assignmentVersion, 1)
    assert.deepInclude((await set({ distinctId: "ann", groupId: control.id })).body, { assignmentVersion: 2 })
    const out = await lab.call("POST", `${path}/assignments/unenroll`, { distinctId: "ann" })
    assert.deepInclude(out.body, { status: "unenrolled", groupId: control.id, overrideGroupId: null })
    assert.deepStrictEqual((await lab.evaluate(configuration.name, "ann")).experiments, [])
    const counts = (await lab.call("GET", `${path}/assignment-counts`)).body
    assert.deepStrictEqual(counts, [
      { groupId: control.id, count: 1, active: 0, unenrolled: 1 },
      { groupId: dear.id, count: 0, active: 0, unenrolled: 0 }
    ])
    assert.strictEqual((await lab.call("GET", `${path}/members`)).body.total, 0)
    assert.strictEqual((await lab.call("GET", `${path}/assignments?status=unenrolled`)).body.total, 1)
    const back = await lab.call("POST", `${path}/assignments/reactivate`, { distinctId: "ann" })
    assert.deepInclude(back.body, { status: "active", groupId: control.id })
    assert.strictEqual((await lab.evaluate(configuration.name, "ann")).experiments[0].groupId, control.id)

    const automatic = (await lab.evaluate(configuration.name, "bob")).experiments[0].groupId
    const other = automatic === dear.id ? control.id : dear.id
    await set({ distinctId: "bob", groupId: other })
    const cleared = await set({ distinctId: "bob", groupId: null })
    assert.deepInclude(cleared.body, { groupId: automatic, overrideGroupId: null, source: "weightedHash" })

    for (const what of ["unenroll", "reactivate"]) {
      refused(
        await lab.call("POST", `${path}/assignments/${what}`, { distinctId: "nobody" }),
        404,
        "ASSIGNMENT_NOT_FOUND"
      )
    }
    refused(await set({ distinctId: "nobody", groupId: null }), 404, "ASSIGNMENT_NOT_FOUND")
    refused(await set({ distinctId: "ann", groupId: 999_999 }), 422, "REFERENCE_INVALID")
    refused(await set({ distinctId: "", groupId: dear.id }), 400, "VALIDATION_FAILED")
    await lab.end(path)
    refused(await set({ distinctId: "ann", groupId: dear.id }), 409, "EXPERIMENT_ENDED")
    refused(await lab.call("POST", `${path}/assignments/unenroll`, { distinctId: "ann" }), 409, "EXPERIMENT_ENDED")
    assert.strictEqual((await lab.call("GET", `${path}/assignments`)).body.total, 2)
  })

  it("come in by import, each line by itself", async () => {
    const { experiment, path } = await lab.begin()
    const [control, dear] = experiment.groups
    const headers = { ...lab.studio.cookie, environment_id: String(lab.studio.development) }
    const at = "2026-01-02T03:04:05.000Z"
    const list = [
      { distinctId: "i1", groupId: control.id, at },
      { distinctId: "i2", groupId: dear.id },
      { distinctId: "i3", groupId: 999_999 },
      { groupId: dear.id },
      7,
      { distinctId: "i5", groupId: dear.id, at: new Date(Date.now() + 86_400_000).toISOString() }
    ]
    const json = await request("POST", `${path}/assignments/import`, {
      headers: { ...headers, "content-type": "application/json" },
      raw: JSON.stringify(list)
    })
    assert.deepStrictEqual(keysOf(json.body), ["importedCount", "rejected", "rejectedCount"])
    assert.deepStrictEqual([json.status, json.body.importedCount, json.body.rejectedCount], [200, 2, 4])
    assert.deepStrictEqual(
      json.body.rejected.map(({ index, code }: { index: number; code: string }) => [index, code]),
      [
        [2, "REFERENCE_INVALID"],
        [3, "VALIDATION_FAILED"],
        [4, "VALIDATION_FAILED"],
        [5, "VALIDATION_FAILED"]
      ]
    )
    assert.match(json.body.rejected[3].reason, /^at: .* not in the future$/)
    const lines = await request("POST", `${path}/assignments/import`, {
      headers: { ...headers, "content-type": "application/x-ndjson" },
      raw: `${JSON.stringify({ distinctId: "i4", groupId: dear.id })}\n{broken\n`
    })
    assert.deepStrictEqual([lines.body.importedCount, lines.body.rejectedCount], [1, 1])
    const { items } = (await lab.call("GET", `${path}/assignments?source=manual&search=i1`)).body
    assert.deepInclude(items[0], { distinctId: "i1", groupId: control.id, assignedAt: at, source: "manual" })
    refused(
      await request("POST", `${path}/assignments/import`, {
        headers: { ...headers, "content-type": "application/json" },
        raw: "{}"
      }),
      400,
      "MALFORMED_JSON"
    )
    await lab.end(path)
    refused(
      await request("POST", `${path}/assignments/import`, {
        headers: { ...headers, "content-type": "application/json" },
        raw: "[]"
      }),
      409,
      "EXPERIMENT_ENDED"
    )
  })

  it("E8: come in 10,000 at a time, some at a time in one transaction, and of a unit that comes twice the last one holds", async () => {
    const { experiment, path } = await lab.begin()
    const [control, dear] = experiment.groups
    const units = Array.from({ length: 9_999 }, (_, n) => ({ distinctId: `many-${n}`, groupId: control.id }))
    const repo = await run(AssignmentRepo)
    const [reads, writes] = [vi.spyOn(repo, "ofUnits"), vi.spyOn(repo, "put")]
    const { body } = await request("POST", `${path}/assignments/import`, {
      headers: { ...lab.studio.cookie, environment_id: String(lab.studio.development) },
      body: [...units, { distinctId: "many-1", groupId: dear.id }]
    })
    assert.deepStrictEqual([body.importedCount, body.rejectedCount], [10_000, 0])
    const counts = [
      ...reads.mock.calls.map(([, , ids]) => ids.length),
      ...writes.mock.calls.map(([, all]) => all.length)
    ]
    assert.isAtMost(Math.max(...counts), 250)
    vi.restoreAllMocks()
    const listed = (await lab.call("GET", `${path}/assignments?search=many-1&pageSize=100`)).body
    const twice = listed.items.find((each: { readonly distinctId: string }) => each.distinctId === "many-1")
    assert.deepInclude(twice, { groupId: dear.id, assignmentVersion: 2 })
  })

  it("come in all or not at all: what is written before a failure is undone", async () => {
    const { experiment, path } = await lab.begin()
    const repo = await run(AssignmentRepo)
    const { put } = repo
    const writes = vi.spyOn(repo, "put")
    writes.mockImplementation((environmentId, all) =>
      writes.mock.calls.length < 3 ? put(environmentId, all) : Effect.dieMessage("The third write fails")
    )
    const units = Array.from({ length: 1_000 }, (_, n) => ({
      distinctId: `all-${n}`,
      groupId: experiment.groups[0].id
    }))
    const { status } = await request("POST", `${path}/assignments/import`, {
      headers: { ...lab.studio.cookie, environment_id: String(lab.studio.development) },
      body: units
    })
    assert.deepStrictEqual([status, writes.mock.calls.length], [500, 3])
    vi.restoreAllMocks()
    assert.strictEqual((await lab.call("GET", `${path}/assignments`)).body.total, 0)
  })

  it("take nobody who is held out, before the experiment begins as afterwards, unless exclusion is ignored", async () => {
    for (const startsAt of [undefined, new Date(Date.now() + 3_600_000).toISOString()]) {
      const { experiment, path } = await lab.begin({
        holdoutPercent: 100,
        ...(startsAt === undefined ? {} : { startsAt })
      })
      const body = { distinctId: "out", groupId: experiment.groups[0].id }
      refused(await lab.call("POST", `${path}/assignments`, body), 409, "UNIT_EXCLUDED")
      const forced = await lab.call("POST", `${path}/assignments`, { ...body, ignoreExclusion: true })
      assert.strictEqual(forced.status, 200)
      await lab.end(path)
    }
  })

  it("by import take nobody who is held out or in another experiment of the layer, before it begins as afterwards", async () => {
    const layer = { exclusionLayer: "harbour" }
    const startsAt = new Date(Date.now() + 3_600_000).toISOString()
    const [one, later] = [await lab.begin(layer), await lab.begin({ ...layer, startsAt })]
    const held = await lab.begin({ ...layer, holdoutPercent: 100 })
    const bring = async ({ path, experiment }: typeof one, ...distinctIds: ReadonlyArray<string>) => {
      const items = distinctIds.map((distinctId) => ({ distinctId, groupId: experiment.groups[0].id }))
      const { body } = await request("POST", `${path}/assignments/import`, {
        headers: { ...lab.studio.cookie, environment_id: String(lab.studio.development) },
        body: [{ distinctId: "nowhere", groupId: 999_999 }, ...items]
      })
      const told = body.rejected.map((each: Rejected) => [each.index, each.distinctId, each.code])
      return [body.importedCount, body.rejectedCount, ...told]
    }
    const bad = [0, "nowhere", "REFERENCE_INVALID"]
    assert.deepStrictEqual(await bring(later, "cod", "eel"), [2, 1, bad])
    const excluded = [bad, [1, "cod", "UNIT_EXCLUDED"], [3, "eel", "UNIT_EXCLUDED"]]
    assert.deepStrictEqual(await bring(one, "cod", "ray", "eel"), [1, 3, ...excluded])
    assert.deepStrictEqual(await bring(later, "cod", "cod", "ray"), [2, 2, bad, [3, "ray", "UNIT_EXCLUDED"]])
    assert.deepStrictEqual(await bring(held, "hake"), [0, 2, bad, [1, "hake", "UNIT_EXCLUDED"]])
    const eel = { distinctId: "eel" }
    assert.strictEqual((await lab.call("POST", `${later.path}/assignments/unenroll`, eel)).status, 200)
    assert.deepStrictEqual(await bring(one, "eel"), [1, 1, bad])
    assert.deepStrictEqual(await bring(later, "eel"), [0, 2, bad, [1, "eel", "UNIT_EXCLUDED"]])
    await lab.end(one.path)
    assert.deepStrictEqual(await bring(later, "eel", "ray"), [2, 1, bad])
    for (const { path } of [later, held]) await lab.end(path)
  })

  it("are shown with their player, exported, and erased", async () => {
    const { configuration, experiment, path } = await lab.begin()
    const told = (await lab.evaluate(configuration.name, "gone", { "properties.name": "gone" })).experiments[0]
    await lab.exposed(path)
    const player = `/application/${lab.studio.applicationId}/players/gone`
    const shown = (await lab.call("GET", player)).body.assignments
    assert.deepStrictEqual(
      shown.map(({ experimentId, groupId, status }: Told) => [experimentId, groupId, status]),
      [[experiment.id, told.groupId, "active"]]
    )
    assert.include((await lab.call("GET", `${player}/export`)).text, '"record":"assignment"')
    const erased = (await lab.call("DELETE", player)).body.erased
    assert.deepInclude(erased, { assignments: 1, markers: 1 })
    assert.strictEqual((await lab.call("GET", `${path}/assignments`)).body.total, 0)
    assert.notInclude((await lab.call("GET", `${lab.root}/experiments/context-properties`)).text, '"gone"')
    await lab.end(path)
  })
})
