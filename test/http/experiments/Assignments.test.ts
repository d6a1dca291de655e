import { assert, beforeAll, describe, it } from "@effect/vitest"
import { bearer, keysOf } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf, units } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { mintKey } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { assignmentKeys, evenly, type Told, groupsTold } from "../../support/experiments/Told.ts"

describe.each(stores)("assignments over %s", (label, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

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
    await lab.end(path)
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
    await lab.end(path)
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
    for (const each of [path, servers.path]) await lab.end(each)
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
    await lab.end(`${lab.root}/experiments/${server.body.id}`)
  })

  it("end with their experiment, however many ask at that moment", async () => {
    const { configuration, path } = await lab.begin()
    const asked = units(60, "race").map((unit) => lab.evaluate(configuration.name, unit))
    const end = lab.end(path)
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
    await lab.end(`${lab.root}/experiments/${experiment.id}`)
    assert.strictEqual((await lab.sdk("GET", `experiments/active?unit-type=user&hash=${active.body.hash}`)).status, 200)
    assert.notStrictEqual((await lab.sdk("GET", "status")).body.hash, status.body.hash)
  })

  it("have another answer once what they change is private, also where the base has nothing there", async () => {
    const configuration = await lab.configure()
    const groups = [
      { name: "a", weight: 0 },
      { name: "b", weight: 10_000, changeset: lab.changing(["hint"], "left door") }
    ]
    const { body: experiment } = await lab.create(configuration.id, { groups })
    const before = await lab.evaluate(configuration.name, "ann")
    assert.strictEqual(before.configuration.hint, "left door")
    await lab.call("PATCH", `${lab.root}/configuration/${configuration.id}`, { privacy: [["hint"]] })
    const unit = { type: "user", distinctId: "ann" }
    const question = { configuration: configuration.name, unit, knownHash: before.hash }
    const { status, body } = await lab.sdk("POST", "configurations/evaluate", question)
    assert.deepStrictEqual([status, keysOf(body.configuration)], [200, ["price", "secret", "shop"]])
    await lab.end(`${lab.root}/experiments/${experiment.id}`)
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
    await lab.end(path)
  })
})
