import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf, refused } from "../../support/Caller.ts"
import { cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { type Laboratory, laboratoryOf, units } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"
import { groupsTold } from "../../support/experiments/Told.ts"

describe.each(stores)("enrolment over %s", (label, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
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
    await lab.end(path)
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
    await lab.end(two.path)
    const alone = groupsTold(await lab.bulk("user", all), one.experiment.id)
    for (const unit of Object.keys(first)) assert.strictEqual(alone[unit], first[unit])
    const groupId = one.experiment.groups[0].id
    const distinctId = outside[0]
    refused(await lab.call("POST", `${one.path}/assignments`, { distinctId, groupId }), 409, "UNIT_EXCLUDED")
    const forced = await lab.call("POST", `${one.path}/assignments`, { distinctId, groupId, ignoreExclusion: true })
    assert.strictEqual(forced.status, 200)
    await lab.end(one.path)
  })

  it("keep a unit that was taken out of one experiment of a layer, and is in another since, from being in both", async () => {
    const layer = { exclusionLayer: "arena" }
    const [one, two] = [await lab.begin(layer), await lab.begin(layer)]
    const first = groupsTold(await lab.bulk("user", units(20, "moved")), one.experiment.id)
    const distinctId = Object.keys(first)[0]!
    const groupId = one.experiment.groups[0].id
    const assign = (path: string, body: object) => lab.call("POST", `${path}/assignments`, { distinctId, ...body })
    const back = () => lab.call("POST", `${one.path}/assignments/reactivate`, { distinctId })
    assert.strictEqual((await lab.call("POST", `${one.path}/assignments/unenroll`, { distinctId })).status, 200)
    const there = { groupId: two.experiment.groups[0].id, ignoreExclusion: true }
    assert.strictEqual((await assign(two.path, there)).status, 200)
    refused(await back(), 409, "UNIT_EXCLUDED")
    refused(await assign(one.path, { groupId }), 409, "UNIT_EXCLUDED")
    const told = (await lab.bulk("user", [distinctId]))[distinctId]
    assert.deepStrictEqual(
      told
        .filter(({ status }: { status: string }) => status === "active")
        .map((each: { experimentId: number }) => each.experimentId),
      [two.experiment.id]
    )
    assert.strictEqual((await lab.call("POST", `${two.path}/assignments/unenroll`, { distinctId })).status, 200)
    assert.strictEqual((await back()).status, 200)
    assert.strictEqual((await back()).status, 200)
    assert.strictEqual((await assign(one.path, { groupId, ignoreExclusion: true })).status, 200)
    await lab.end(one.path)
    await lab.end(two.path)
  })

  it("keep a unit that somebody has put into an experiment which has yet to begin out of the others of its layer", async () => {
    const layer = { exclusionLayer: "garden" }
    const startsAt = new Date(Date.now() + 3_600_000).toISOString()
    const [one, later, latest] = [
      await lab.begin(layer),
      await lab.begin({ ...layer, startsAt }),
      await lab.begin({ ...layer, startsAt })
    ]
    const assign = ({ path, experiment }: typeof one, distinctId: string, more: object = {}) => {
      const body = { distinctId, groupId: experiment.groups[0].id, ...more }
      return lab.call("POST", `${path}/assignments`, body)
    }
    const experimentsOf = async (distinctId: string) =>
      (await lab.evaluate(one.configuration.name, distinctId)).experiments.length
    const shownOf = async (distinctId: string) => {
      const path = `/application/${lab.studio.applicationId}/players/${distinctId}/configurations/${one.configuration.id}`
      return (await lab.call("GET", path)).body.experiments.length
    }
    const seen = async (distinctId: string) => [await shownOf(distinctId), await experimentsOf(distinctId)]
    for (const unit of ["rose", "lily", "fern"]) assert.strictEqual((await assign(later, unit)).status, 200)
    for (const unit of ["rose", "lily", "fern"]) assert.deepStrictEqual(await seen(unit), [0, 0])
    assert.deepStrictEqual(await seen("weed"), [1, 1])
    refused(await assign(later, "weed"), 409, "UNIT_EXCLUDED")
    for (const there of [one, latest]) refused(await assign(there, "rose"), 409, "UNIT_EXCLUDED")
    assert.strictEqual((await assign(latest, "rose", { ignoreExclusion: true })).status, 200)
    assert.strictEqual((await assign(later, "lily", { groupId: null })).status, 200)
    assert.deepStrictEqual(await seen("lily"), [1, 1])
    await lab.end(later.path)
    assert.deepStrictEqual(
      [await seen("rose"), await seen("fern")],
      [
        [0, 0],
        [1, 1]
      ]
    )
    await lab.end(latest.path)
    await lab.end(one.path)
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
    await lab.end(path)
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
    const changesOf = async () => {
      const { experiments } = (await lab.sdk("GET", "experiments/active?unit-type=user")).body
      const { groups } = experiments.find(({ id }: { id: number }) => id === experiment.id)
      return groups.map(
        ({ changeset }: { changeset: { operations: ReadonlyArray<unknown> } }) => changeset.operations.length
      )
    }
    assert.deepStrictEqual(await changesOf(), [0, 1])
    assert.strictEqual((await lab.call("PATCH", path, { dropGroupIds: [b.id] })).status, 200)
    assert.deepStrictEqual(await changesOf(), [0, 0])
    const after = await lab.evaluate(configuration.name, "ann")
    assert.deepStrictEqual([after.configuration.price, after.experiments[0].groupId], [10, b.id])
    await lab.end(path)
  })
})
