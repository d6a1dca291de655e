import { assert, beforeAll, describe, it } from "@effect/vitest"
import { marker } from "../../support/analytics/PlayerDesk.ts"
import { joinAs, keysOf, refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("configurations of players over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  const look = (unitId: string, configurationId: number, headers: Record<string, string> = {}) =>
    request("GET", `/application/${lab.studio.applicationId}/players/${unitId}/configurations/${configurationId}`, {
      headers: { ...lab.studio.cookie, environment_id: String(lab.studio.development), ...headers }
    })

  it("are the base with what each experiment sets, before and after the player is in a group", async () => {
    const { configuration, experiment, path } = await lab.begin()
    const before = await look("ann", configuration.id)
    assert.strictEqual(before.status, 200, before.text)
    assert.deepStrictEqual(keysOf(before.body), [
      "changes",
      "configuration",
      "configurationId",
      "experiments",
      "privacy",
      "unitId"
    ])
    const [expected] = before.body.experiments
    assert.deepInclude(expected, { experimentId: experiment.id, isAssigned: false, source: "weightedHash" })
    assert.strictEqual(before.body.configuration.price, expected.groupName === "dear" ? 20 : 10)

    const { configuration: got, experiments } = await lab.evaluate(configuration.name, "ann")
    assert.deepStrictEqual([got, experiments[0].groupId], [before.body.configuration, expected.groupId])
    const after = (await look("ann", configuration.id)).body
    assert.deepStrictEqual(after, { ...before.body, experiments: [{ ...expected, isAssigned: true }] })

    const dear = experiment.groups.find(({ name }: { name: string }) => name === "dear")
    await lab.call("POST", `${path}/assignments`, { distinctId: "ann", groupId: dear.id })
    const moved = (await look("ann", configuration.id)).body
    assert.deepInclude(moved.experiments[0], { groupName: "dear", source: "manual", isAssigned: true })
    assert.deepStrictEqual(moved.changes, [{ path: ["price"], experimentId: experiment.id, previous: 10 }])
    assert.strictEqual(moved.configuration.price, 20)
    await lab.call("POST", `${path}/assignments`, { distinctId: "ann", groupId: null })
    await lab.call("POST", `${path}/assignments/unenroll`, { distinctId: "ann" })
    assert.deepStrictEqual((await look("ann", configuration.id)).body, {
      ...before.body,
      configuration: configuration.configuration,
      experiments: [],
      changes: []
    })
  })

  it("enrol nobody, expose nobody, and do not count as the first sight of a player", async () => {
    const { configuration, path } = await lab.begin()
    for (let time = 0; time < 3; time++) await look("bob", configuration.id)
    assert.deepStrictEqual((await lab.call("GET", `${path}/assignments`)).body.items, [])
    const forNew = await lab.begin({ targeting: { newUsersOnly: true } })
    assert.strictEqual((await look("bob", forNew.configuration.id)).body.experiments.length, 1)
    assert.strictEqual((await lab.evaluate(forNew.configuration.name, "bob")).experiments.length, 1)
    const { experiments } = await lab.evaluate(configuration.name, "bob")
    assert.deepInclude(experiments[0], { assignmentVersion: 1, exposureProxyRecorded: true })
  })

  it("take the latest properties of the player's markers for what the game would say", async () => {
    const targeting = { conditions: [{ property: "properties.country", operator: "is", value: "DE" }] }
    const { configuration, experiment } = await lab.begin({ targeting })
    assert.strictEqual(experiment.status, "active", JSON.stringify(experiment))
    await lab.game.send([
      marker("Login", "dora", 60_000, { country: "DE" }),
      marker("Login", "finn", 60_000, { country: "FR" })
    ])
    const found = async (unitId: string) => (await look(unitId, configuration.id)).body.experiments.length
    assert.deepStrictEqual([await found("dora"), await found("finn"), await found("nobody")], [1, 0, 0])
  })

  it("name no group where groups take turns, and nothing of experiments on other configurations", async () => {
    const { configuration, experiment } = await lab.begin({ assignmentMode: "roundRobin" })
    const { body } = await look("cleo", configuration.id)
    assert.deepStrictEqual(body.experiments, [
      {
        experimentId: experiment.id,
        experimentName: experiment.name,
        groupId: null,
        groupName: null,
        source: "roundRobin",
        isAssigned: false
      }
    ])
    assert.deepStrictEqual([body.configuration, body.changes], [configuration.configuration, []])
    const other = await lab.configure()
    assert.deepStrictEqual((await look("cleo", other.id)).body.experiments, [])
  })

  it("are shown to who may read players, configurations and experiments", async () => {
    const { id } = await lab.configure()
    const roles = `/organization/${lab.studio.organizationId}/v2/roles`
    const all = ["players:read", "configurations:read", "experiments:read"]
    for (const [index, missing] of all.entries()) {
      const name = `Without ${index}`
      const permissions = all.filter((each) => each !== missing)
      assert.strictEqual((await lab.call("POST", roles, { name, permissions })).status, 201)
      const member = await joinAs(request, lab.studio, `member${index}`, name)
      refused(await look("ann", id, member.cookie), 403, "FORBIDDEN")
    }
    refused(await look("ann", 987654), 404, "CONFIGURATION_NOT_FOUND")
    refused(await look("ann", id, { environment_id: "987654" }), 404, "ENVIRONMENT_NOT_FOUND")
  })
})
