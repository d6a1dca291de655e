import { assert, beforeAll, describe, it } from "@effect/vitest"
import { ConfigurationId } from "../../../src/domain/Ids.ts"
import { anExperimentOn, began } from "../../support/experiments/Running.ts"
import { document, privacy, shown, type OlderGame, olderGameOf } from "../../support/game/OlderGame.ts"
import { stores } from "../../support/Stores.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

for (const [label, store] of stores) {
  describe(`experiments of older game servers (${label})`, () => {
    const app = testApp(store)
    let studio: OlderGame["studio"]
    let secret: OlderGame["secret"]
    let primary: OlderGame["primary"]
    let call: OlderGame["call"]

    const experimentsNow = async () => (await call("GET", "/sdk/v1/experiments")).body

    beforeAll(async () => {
      ;({ studio, secret, primary, call } = await olderGameOf(app.request, "ada"))
    })

    it("get running groups with the whole configuration of their members, and the times of those to come", async () => {
      const later = Date.UTC(2099, 0, 1)
      const conditions = ["properties.country", "roblox.country", "device"].map((property) => ({
        property,
        operator: "isSet" as const,
        operands: [],
        value: null
      }))
      const targeting = { cohortIds: [], conditions, newUsersOnly: true }
      const running = await app.run(anExperimentOn(studio, primary, { targeting }, { endsAt: later }))
      const planned = await app.run(anExperimentOn(studio, primary, {}, { status: "scheduled", startsAt: later }))
      await app.run(anExperimentOn(studio, ConfigurationId.make(987_654)))
      const { timestampMs, ...body } = await experimentsNow()
      assert.isAbove(timestampMs, began)
      const group = (ordinal: number, variables: object) => ({
        id: running.groups[ordinal]!.id,
        groupName: running.groups[ordinal]!.name,
        experimentName: running.name,
        endsAt: later,
        configs: { options: { privacy: [] }, variables }
      })
      assert.deepStrictEqual(body, {
        groups: [group(0, shown), group(1, { ...shown, bonus: 2 })],
        scheduled: Object.fromEntries(planned.groups.map(({ id }) => [String(id), [later]])),
        targetType: "player",
        requiredProperties: ["device", "country"]
      })
      const configurations = await call("GET", "/sdk/v1/configurations", { headers: { authorization: secret } })
      const [, other] = configurations.body.args.GBConfigs.Experiments.groups
      assert.deepStrictEqual(other.configs, { options: { privacy }, variables: { ...document, bonus: 2 } })
    })

    it("ask for groups: they get the definitions that they have not, and nobody whom no experiment takes", async () => {
      const { groups } = await experimentsNow()
      const ask = (body: object) => call("POST", "/sdk/v1/experiments/assignments", { body })
      const all = await ask({ playerIds: [1, "2"], knownGroupIds: [], allowGameserverAssignment: true })
      assert.deepStrictEqual([all.status, all.body], [200, { groups, targetType: "player", playerIdsByGroupId: {} }])
      const known = await ask({ playerIds: [1], knownGroupIds: [groups[0].id, String(groups[1].id)] })
      assert.deepStrictEqual(known.body, { targetType: "player", playerIdsByGroupId: {} })
      const bad = await ask({ playerIds: [1], playerProperties: { "1": { country: { no: 1 } } } })
      assert.deepStrictEqual([bad.status, bad.body.errorCode], [400, "VALIDATION_FAILED"])
      for (const body of [{ playerIds: [""] }, { playerIds: [true] }, { playerIds: Array(1001).fill(1) }]) {
        assert.strictEqual((await ask(body)).status, 400)
      }
    })

    it("ask for groups by configuration and player", async () => {
      const path = "/sdk/v2/experiments/assignment?configName="
      for (const query of ["main&id=a", "main&id=a&id=b&id=a"]) {
        const answer = await call("GET", path + query)
        assert.deepStrictEqual([answer.status, answer.body], [200, []])
      }
      const none = await call("GET", `${path}none&id=a`)
      assert.deepStrictEqual([none.status, none.body.errorCode], [404, "CONFIGURATION_NOT_FOUND"])
      for (const query of ["main", "main&id=", `main${"&id=a".repeat(251)}`]) {
        assert.strictEqual((await call("GET", path + query)).status, 400, query)
      }
      const named = await call("GET", "/sdk/v2/configs/main?distinctId=a")
      assert.deepStrictEqual(named.body, { name: "main", configuration: shown, experiment: null })
    })

    it("have players and themselves assigned for good, in the groups that newer games are told of too", async () => {
      const grace = await openStudio(app.request, "grace")
      const authorization = await mintKey(app.request, grace, { type: "public" })
      const ask = (method: string, path: string, body?: object) =>
        call(method, path, { headers: { authorization }, ...(body === undefined ? {} : { body }) })
      const created = await app.request("POST", `/application/${grace.applicationId}/v2/configuration`, {
        headers: grace.cookie,
        body: { name: "main", configuration: document, privacy, isPrimary: true }
      })
      const base = ConfigurationId.make(created.body.id)
      const users = await app.run(anExperimentOn(grace, base, { autoAssignment: true }))
      const assign = { playerIds: [7, 8, 9, 10], allowGameserverAssignment: true }
      const { body } = await ask("POST", "/sdk/v1/experiments/assignments", assign)
      assert.strictEqual(body.targetType, "player")
      const byGroup: Record<string, ReadonlyArray<string>> = body.playerIdsByGroupId
      assert.deepStrictEqual(Object.values(byGroup).flat().sort(), ["10", "7", "8", "9"])
      const named = await ask("GET", "/sdk/v2/experiments/assignment?configName=main&id=7&id=8&id=9&id=10")
      for (const { id, experimentId, group } of named.body) {
        const { id: groupId } = users.groups.find(({ name }) => name === group)!
        assert.strictEqual(experimentId, users.id)
        assert.include(byGroup[String(groupId)], id)
        const { variables } = body.groups.find((each: { id: number }) => each.id === groupId).configs
        const newer = await ask("GET", `/sdk/v2/configs/main?distinctId=${id}`)
        assert.deepStrictEqual(newer.body, {
          name: "main",
          configuration: variables,
          experiment: { id: users.id, group }
        })
      }
      assert.strictEqual(named.body.length, 4)
      const again = await ask("POST", "/sdk/v1/experiments/assignments", assign)
      assert.deepStrictEqual(again.body, body)
    })
  })
}
