import { assert, beforeAll, describe, it } from "@effect/vitest"
import { bearer, keysOf, refused } from "../../support/Caller.ts"
import { cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { type Laboratory, laboratoryOf, units } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { mintKey } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const assignmentKeys = [
  "assignedAt",
  "assignmentVersion",
  "automaticGroupId",
  "distinctId",
  "firstExposedAt",
  "groupId",
  "overrideGroupId",
  "source",
  "status",
  "unitType"
]

const evenly = (weights: ReadonlyArray<number>) => weights.map((weight, at) => ({ name: `g${at}`, weight }))

interface Told {
  readonly experimentId: number
  readonly groupId: number
  readonly status: string
}

const groupsTold = (assignments: Record<string, ReadonlyArray<Told>>, experimentId: number) =>
  Object.fromEntries(
    Object.entries(assignments).flatMap(([unit, all]) =>
      all.filter((each) => each.experimentId === experimentId).map((each) => [unit, each.groupId] as const)
    )
  )

describe.each(stores)("assignments over %s", (label, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  const ended = (path: string) => lab.call("POST", `${path}/terminate`)

  it("give a unit its group at the first question, and the same ever after", async () => {
    const { configuration, experiment, path } = await lab.begin()
    const first = await lab.evaluate(configuration.name, "ann")
    assert.deepStrictEqual(keysOf(first), [
      "configuration",
      "configurationId",
      "experiments",
      "hash",
      "name",
      "privacy",
      "requiredProperties",
      "updatedAt"
    ])
    const [told] = first.experiments
    assert.deepStrictEqual(keysOf(told), [
      "assignmentVersion",
      "experimentId",
      "exposureProxyRecorded",
      "groupId",
      "source"
    ])
    const isDear = told.groupId === experiment.groups[1].id
    assert.strictEqual(first.configuration.price, isDear ? 20 : 10)
    assert.deepInclude(told, { experimentId: experiment.id, assignmentVersion: 1, source: "weightedHash" })
    assert.isTrue(told.exposureProxyRecorded)
    await lab.exposed(path)
    const seen = (await lab.call("GET", `${path}/assignments`)).body
    assert.deepStrictEqual([seen.total, seen.page, seen.pageSize, keysOf(seen.items[0])], [1, 1, 100, assignmentKeys])
    const again = await lab.evaluate(configuration.name, "ann")
    assert.deepStrictEqual([again.hash, again.experiments[0].exposureProxyRecorded], [first.hash, false])
    assert.strictEqual(await lab.game.count("$exposure"), 1)
    const weights = {
      weights: experiment.groups.map(({ id }: { id: number }, at: number) => ({
        groupId: id,
        weight: at === Number(isDear) ? 0 : 10_000
      }))
    }
    await lab.call("PATCH", path, weights)
    await lab.call("PATCH", `${path}/rollout`, { action: "set", percent: 0 })
    assert.strictEqual((await lab.evaluate(configuration.name, "ann")).experiments[0].groupId, told.groupId)
    assert.deepStrictEqual((await lab.evaluate(configuration.name, "late")).experiments, [])
    await ended(path)
    const over = await lab.evaluate(configuration.name, "ann")
    assert.deepStrictEqual([over.experiments, over.configuration.price], [[], 10])
  })

  it("answer 304 to who knows the hash of what a unit gets", async () => {
    const { configuration } = await lab.begin()
    const unit = { type: "user", distinctId: "ann" }
    const { hash } = await lab.evaluate(configuration.name, "ann")
    for (const [body, headers] of [
      [{ knownHash: hash }, {}],
      [{}, { "if-none-match": hash }],
      [{}, { "if-none-match": `"${hash}"` }]
    ] as const) {
      const answer = await lab.sdk(
        "POST",
        "configurations/evaluate",
        { configuration: configuration.name, unit, ...body },
        headers
      )
      assert.deepStrictEqual([answer.status, answer.text], [304, ""])
    }
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
    await ended(path)
    refused(await set({ distinctId: "ann", groupId: dear.id }), 409, "EXPERIMENT_ENDED")
    refused(await lab.call("POST", `${path}/assignments/unenroll`, { distinctId: "ann" }), 409, "EXPERIMENT_ENDED")
    assert.strictEqual((await lab.call("GET", `${path}/assignments`)).body.total, 2)
  })

  it("reach only units that the targeting matches", async () => {
    const conditions = [{ property: "properties.level", operator: "greaterThan", value: 3 }]
    const { configuration, experiment, path } = await lab.begin({ targeting: { conditions, newUsersOnly: true } })
    const ask = async (unit: string, properties: object) =>
      (await lab.evaluate(configuration.name, unit, properties)).experiments.length
    assert.strictEqual(await ask("low", { "properties.level": 3 }), 0)
    assert.strictEqual(await ask("new", { "properties.level": 4 }), 1)
    assert.strictEqual(await ask("new", {}), 1)
    const { requiredProperties } = await lab.evaluate(configuration.name, "new")
    assert.deepStrictEqual(requiredProperties, ["properties.level"])
    const properties = (await lab.call("GET", `${lab.root}/experiments/context-properties`)).body
    const level = properties.find(({ name }: { name: string }) => name === "properties.level")
    assert.deepStrictEqual([keysOf(level), level.dataType], [["dataType", "lastSeenAt", "name", "values"], "number"])
    assert.includeMembers(level.values, [3, 4])
    assert.strictEqual(experiment.targeting.conditions[0].value, 3)
    await ended(path)
  })

  it("hold only while the targeting matches where enrolment is not permanent", async () => {
    const conditions = [{ property: "properties.level", operator: "greaterThan", value: 3 }]
    const { configuration } = await lab.begin({ targeting: { conditions }, permanentEnrollment: false })
    const ask = async (level: number) =>
      (await lab.evaluate(configuration.name, "ann", { "properties.level": level })).experiments.length
    assert.deepStrictEqual([await ask(4), await ask(3), await ask(5)], [1, 0, 1])
  })

  it("reach members of cohorts", async () => {
    const cohort = await cohortAnalystOf(request, lab.studio).list(`vip ${label}`, ["vip"])
    const { configuration } = await lab.begin({ targeting: { cohortIds: [cohort.id] } })
    assert.strictEqual((await lab.evaluate(configuration.name, "vip")).experiments.length, 1)
    assert.strictEqual((await lab.evaluate(configuration.name, "other")).experiments.length, 0)
  })

  it("take turns where the mode is round robin, however many ask at once", async () => {
    const { experiment, path } = await lab.begin({ assignmentMode: "roundRobin", groups: evenly([5000, 2500, 2500]) })
    await Promise.all(units(40, "turn").map((unit) => lab.bulk("user", [unit])))
    const counts = (await lab.call("GET", `${path}/assignment-counts`)).body
    assert.deepStrictEqual(
      counts.map(({ count }: { count: number }) => count),
      [20, 10, 10]
    )
    const told = await lab.bulk("user", ["turn0"])
    assert.strictEqual(told.turn0.find((each: Told) => each.experimentId === experiment.id).source, "roundRobin")
    await ended(path)
  })

  it("are asked for in bulk: every unit, every experiment of its type", async () => {
    const { experiment, path } = await lab.begin()
    const servers = await lab.begin({ unitType: "server" })
    const all = units(250, "bulk")
    const first = await lab.bulk("user", all)
    assert.deepStrictEqual(keysOf(first), all.toSorted())
    const told = first.bulk0.find((each: Told) => each.experimentId === experiment.id)
    assert.deepStrictEqual(keysOf(told), [
      "assignmentVersion",
      "automaticGroupId",
      "experimentId",
      "groupId",
      "overrideGroupId",
      "source",
      "status"
    ])
    const groups = groupsTold(first, experiment.id)
    assert.deepStrictEqual(groupsTold(await lab.bulk("user", all.toReversed()), experiment.id), groups)
    assert.deepStrictEqual(groupsTold(first, servers.experiment.id), {})
    const share = Object.values(groups).filter((id) => id === experiment.groups[1].id).length / 250
    assert.isTrue(share > 0.35 && share < 0.65, String(share))
    const server = (await lab.bulk("server", ["s1"])).s1
    assert.deepStrictEqual(
      server.map(({ experimentId }: Told) => experimentId),
      [servers.experiment.id]
    )
    const many = { unitType: "user", units: units(251).map((distinctId) => ({ distinctId })) }
    const tooMany = await lab.sdk("POST", "experiments/assignments/bulk", many)
    assert.deepStrictEqual([tooMany.status, tooMany.body.code], [400, "VALIDATION_FAILED"])
    const counted = (await lab.call("GET", `${lab.root}/experiments/assignment-counts`)).body
    assert.deepInclude(counted, { experimentId: experiment.id, count: 250 })
    const page = (await lab.call("GET", `${path}/assignments?page=3&pageSize=100&search=BULK`)).body
    assert.deepStrictEqual([page.items.length, page.total, page.page], [50, 250, 3])
    for (const each of [path, servers.path]) await ended(each)
  })

  it("of a player come after those of the server it plays on", async () => {
    const configuration = await lab.configure()
    const changing = (value: number) => [
      { name: "a", weight: 10_000, changeset: lab.changing(["price"], value) },
      { name: "b", weight: 0 }
    ]
    const server = await lab.create(configuration.id, { unitType: "server", groups: changing(1) })
    assert.strictEqual(server.status, 201)
    const unit = { type: "user", distinctId: "ann" }
    const body = { configuration: configuration.name, unit }
    const answer = await lab.sdk("POST", "configurations/evaluate", body, { "server-id": "s9" })
    assert.strictEqual(answer.body.configuration.price, 1)
    await ended(`${lab.root}/experiments/${server.body.id}`)
  })

  it("keep units of one layer apart, and held out ones outside", async () => {
    const layer = { exclusionLayer: "shop", holdoutPercent: 20 }
    const [one, two] = [await lab.begin(layer), await lab.begin(layer)]
    const all = units(200, "layer")
    const told = await lab.bulk("user", all)
    const [first, second] = [groupsTold(told, one.experiment.id), groupsTold(told, two.experiment.id)]
    const both = Object.keys(first).filter((unit) => unit in second)
    const outside = all.filter((unit) => !(unit in first) && !(unit in second))
    assert.deepStrictEqual(both, [])
    assert.isTrue(Object.keys(first).length > 50 && Object.keys(second).length > 50)
    assert.isTrue(outside.length > 20 && outside.length < 70, String(outside.length))
    await ended(two.path)
    const alone = groupsTold(await lab.bulk("user", all), one.experiment.id)
    for (const unit of Object.keys(first)) assert.strictEqual(alone[unit], first[unit])
    const groupId = one.experiment.groups[0].id
    const distinctId = outside[0]
    refused(await lab.call("POST", `${one.path}/assignments`, { distinctId, groupId }), 409, "UNIT_EXCLUDED")
    const forced = await lab.call("POST", `${one.path}/assignments`, { distinctId, groupId, ignoreExclusion: true })
    assert.strictEqual(forced.status, 200)
    await ended(one.path)
  })

  it("enrol more as the rollout grows, and move nobody", async () => {
    const { experiment, path } = await lab.begin({ rollout: { percent: 10 } })
    const all = units(250, "ramp")
    const few = groupsTold(await lab.bulk("user", all), experiment.id)
    await lab.call("PATCH", `${path}/rollout`, { action: "set", percent: 100 })
    const everyone = groupsTold(await lab.bulk("user", all), experiment.id)
    assert.isTrue(Object.keys(few).length > 5 && Object.keys(few).length < 60)
    assert.strictEqual(Object.keys(everyone).length, 250)
    for (const unit of Object.keys(few)) assert.strictEqual(everyone[unit], few[unit])
    await lab.call("PATCH", `${path}/rollout`, { action: "pause" })
    assert.deepStrictEqual(groupsTold(await lab.bulk("user", ["newcomer"]), experiment.id), {})
    assert.strictEqual(groupsTold(await lab.bulk("user", ["ramp0"]), experiment.id)["ramp0"], everyone["ramp0"])
    await ended(path)
  })

  it("of a dropped group stay, with the base", async () => {
    const configuration = await lab.configure()
    const groups = [
      { name: "a", weight: 0 },
      { name: "b", weight: 10_000, changeset: lab.changing(["price"], 99) }
    ]
    const { body: experiment } = await lab.create(configuration.id, { groups })
    assert.strictEqual((await lab.evaluate(configuration.name, "ann")).configuration.price, 99)
    const [a, b] = experiment.groups
    const path = `${lab.root}/experiments/${experiment.id}`
    await lab.call("PATCH", path, {
      weights: [
        { groupId: a.id, weight: 5000 },
        { groupId: b.id, weight: 5000 }
      ]
    })
    assert.strictEqual((await lab.call("PATCH", path, { dropGroupIds: [b.id] })).status, 200)
    const after = await lab.evaluate(configuration.name, "ann")
    assert.deepStrictEqual([after.configuration.price, after.experiments[0].groupId], [10, b.id])
    await ended(path)
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
      7
    ]
    const json = await request("POST", `${path}/assignments/import`, {
      headers: { ...headers, "content-type": "application/json" },
      raw: JSON.stringify(list)
    })
    assert.deepStrictEqual(keysOf(json.body), ["importedCount", "rejected", "rejectedCount"])
    assert.deepStrictEqual([json.status, json.body.importedCount, json.body.rejectedCount], [200, 2, 3])
    assert.deepStrictEqual(
      json.body.rejected.map(({ index, code }: { index: number; code: string }) => [index, code]),
      [
        [2, "REFERENCE_INVALID"],
        [3, "VALIDATION_FAILED"],
        [4, "VALIDATION_FAILED"]
      ]
    )
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
    await ended(path)
    refused(
      await request("POST", `${path}/assignments/import`, {
        headers: { ...headers, "content-type": "application/json" },
        raw: "[]"
      }),
      409,
      "EXPERIMENT_ENDED"
    )
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
    await ended(path)
  })

  it("end with their experiment, however many ask at that moment", async () => {
    const { configuration, path } = await lab.begin()
    const asked = units(60, "race").map((unit) => lab.evaluate(configuration.name, unit))
    const end = ended(path)
    await Promise.all([...asked, end])
    const { terminatedAt } = (await end).body
    const { items } = (await lab.call("GET", `${path}/assignments?pageSize=1000`)).body
    for (const { assignedAt } of items) assert.isAtMost(Date.parse(assignedAt), Date.parse(terminatedAt))
    const before = items.length
    await Promise.all(units(20, "after").map((unit) => lab.evaluate(configuration.name, unit)))
    assert.strictEqual((await lab.call("GET", `${path}/assignments`)).body.total, before)
  })

  it("tell games what runs, with what each group changes, and nothing private to public keys", async () => {
    const configuration = await lab.configure({ privacy: [["secret"]] })
    const operations = [
      { op: "set", path: ["secret", "odds"], value: 0.9 },
      { op: "set", path: ["price"], value: 30 },
      { op: "delete", path: ["shop", "banner"] }
    ]
    const groups = [
      { name: "a", weight: 0 },
      { name: "b", weight: 10_000, changeset: { operations } }
    ]
    const { body: experiment } = await lab.create(configuration.id, { groups })
    const active = await lab.sdk("GET", "experiments/active?unit-type=user")
    assert.deepStrictEqual(keysOf(active.body), ["experiments", "hash", "requiredProperties"])
    const shown = active.body.experiments.find(({ id }: { id: number }) => id === experiment.id)
    assert.deepStrictEqual(keysOf(shown.groups[1]), ["changeset", "id", "label", "ordinal", "weight"])
    assert.deepStrictEqual(shown.groups[1].changeset.operations, operations.slice(1))
    assert.deepStrictEqual(keysOf((await lab.evaluate(configuration.name, "ann")).configuration), ["price", "shop"])
    const secret = await mintKey(request, lab.studio, { permissions: ["sdk:read"] })
    const whole = await lab.sdk("GET", "experiments/active", undefined, bearer(secret))
    assert.deepStrictEqual(
      whole.body.experiments.find(({ id }: { id: number }) => id === experiment.id).groups[1].changeset.operations,
      operations
    )
    const known = await lab.sdk("GET", `experiments/active?unit-type=user&hash=${active.body.hash}`)
    assert.deepStrictEqual([known.status, known.text], [304, ""])
    const status = await lab.sdk("GET", "status")
    assert.isTrue(status.body.experiments.user.some(({ id }: { id: number }) => id === experiment.id))
    await ended(`${lab.root}/experiments/${experiment.id}`)
    assert.strictEqual((await lab.sdk("GET", `experiments/active?unit-type=user&hash=${active.body.hash}`)).status, 200)
    assert.notStrictEqual((await lab.sdk("GET", "status")).body.hash, status.body.hash)
  })

  it("are filters and breakdowns of every question, by who was exposed", async () => {
    const { configuration, experiment, path } = await lab.begin()
    const all = units(30, "asked")
    const groups = new Map<string, number>()
    for (const unit of all) groups.set(unit, (await lab.evaluate(configuration.name, unit)).experiments[0].groupId)
    const markers = all.map((userId, at) => ({
      markerId: `${label === stores[0]?.[0] ? "a" : "b"}0000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
      timestamp: new Date().toISOString(),
      type: "Buy",
      userId
    }))
    await lab.game.send(markers)
    await lab.exposed(path)
    const time = { step: "month", timezone: "UTC", relative: { step: "year", value: 1 } }
    const metrics = [{ id: "A", data: { name: "Buy", type: "uniqueUsers" } }]
    const breakdowns = [{ source: "experiment", name: String(experiment.id) }]
    const answer = await lab.game.query("insights/execute", { time, metrics, breakdowns })
    const counts = new Map<number, number>()
    for (const id of groups.values()) counts.set(id, (counts.get(id) ?? 0) + 1)
    for (const { breakdown, aggregate } of answer.body.series)
      assert.strictEqual(
        aggregate,
        counts.get(breakdown[0].value ?? breakdown[0]) ?? 0,
        JSON.stringify(answer.body.series)
      )
    await ended(path)
  })
})
