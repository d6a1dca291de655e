import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { ServerStateRepo } from "../../../src/ports/game/ServerStateRepo.ts"
import { document, privacy, shown, type OlderGame, olderGameOf } from "../../support/game/OlderGame.ts"
import { stores } from "../../support/Stores.ts"
import { mintKey } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

for (const [label, store] of stores) {
  describe(`older game servers (${label})`, () => {
    const app = testApp(store)
    let studio: OlderGame["studio"]
    let game: OlderGame["game"]
    let secret: OlderGame["secret"]
    let primary: OlderGame["primary"]
    let call: OlderGame["call"]

    beforeAll(async () => {
      ;({ studio, game, secret, primary, call } = await olderGameOf(app.request, "ada"))
    })

    it("get an empty configuration where none is primary, and none of another environment's", async () => {
      for (const headers of [{ isstudio: "true" }, { isstudio: "" }]) {
        const { status, body } = await call("GET", "/sdk/v1/configurations", { headers })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual([body.args.configs, body.args.options], [{}, { privacy: [] }])
      }
      const assigned = await call("POST", "/sdk/v1/experiments/assignments", { body: { playerIds: [1] } })
      assert.deepStrictEqual([assigned.status, assigned.text], [200, "null"])
    })

    it("get the primary configuration, cut for a public key and whole for a secret one", async () => {
      for (const authorization of [game.publicKey, `Bearer ${game.publicKey}`]) {
        const { status, headers, body } = await call("GET", "/sdk/v1/configurations", { headers: { authorization } })
        assert.strictEqual(status, 200)
        assert.match(headers.get("content-type") ?? "", /^application\/json/)
        assert.deepStrictEqual(body.args.configs, shown)
        assert.deepStrictEqual(body.args.options, { privacy: [] })
        const { GBPublishTime, Experiments, ...rest } = body.args.GBConfigs
        assert.deepStrictEqual(rest, { GBRates: { CheckRequests: 30, EngagementMarkers: 60 }, EventData: {} })
        assert.isTrue(Number.isInteger(GBPublishTime) && Number.isInteger(Experiments.timestampMs))
        assert.deepStrictEqual(
          { ...Experiments, timestampMs: 0 },
          { timestampMs: 0, groups: [], scheduled: {}, targetType: "player", requiredProperties: [] }
        )
      }
      for (const authorization of [secret, `Bearer ${secret}`]) {
        const { body } = await call("GET", "/sdk/v1/configurations", { headers: { authorization } })
        assert.deepStrictEqual([body.args.configs, body.args.options], [document, { privacy }])
      }
    })

    it("are told once by a job when something has changed, until they say that it is done", async () => {
      const [first] = (await call("GET", "/sdk/v1/requests")).body
      assert.deepStrictEqual(Object.keys(first).sort(), ["args", "constraints", "details", "requestId", "requestType"])
      assert.strictEqual(first.requestType, "UpdateConfigs")
      assert.isTrue(Number.isInteger(first.requestId))
      assert.deepStrictEqual(first.args.configs, shown)
      const again = (await call("GET", "/sdk/v1/requests")).body
      assert.strictEqual(again[0].requestId, first.requestId)
      const started = await call("PUT", "/sdk/v1/requests/started", { body: [first.requestId] })
      assert.deepStrictEqual([started.status, started.body], [200, {}])
      assert.deepStrictEqual((await call("GET", "/sdk/v1/requests")).body, [])
      const completed = [{ requestId: first.requestId, status: "success", result: [] }]
      const done = await call("POST", "/sdk/v1/requests/completed", { body: completed })
      assert.deepStrictEqual([done.status, done.body], [200, {}])
      assert.deepStrictEqual((await call("GET", "/sdk/v1/requests")).body, [])

      const path = `/application/${studio.applicationId}/v2/configuration/${primary}`
      const edit = (path: ReadonlyArray<string>, value: unknown) => ({
        headers: { ...studio.cookie, environment_id: String(studio.production) },
        body: { changes: [{ op: "set", path, value }] }
      })
      assert.strictEqual((await app.request("PATCH", path, edit(["secret", "hp"], 10))).status, 200)
      assert.deepStrictEqual((await call("GET", "/sdk/v1/requests")).body, [])
      assert.strictEqual((await app.request("PATCH", path, edit(["speed"], 2))).status, 200)
      const [second] = (await call("GET", "/sdk/v1/requests")).body
      assert.isAbove(second.requestId, first.requestId)
      assert.deepStrictEqual(second.args.configs, { ...shown, speed: 2 })
      const failed = [{ requestId: String(second.requestId), status: false }]
      assert.strictEqual((await call("POST", "/sdk/v1/requests/completed", { body: failed })).status, 200)
      assert.deepStrictEqual((await call("GET", "/sdk/v1/requests")).body, [])
      await app.request("PATCH", path, edit(["speed"], 1))
      await app.request("PATCH", path, edit(["secret", "hp"], 9))
    })

    it("are told whatever players, who all have the public key, say of the job of the secret one", async () => {
      const asServer = { headers: { authorization: secret } }
      const [job] = (await call("GET", "/sdk/v1/requests", asServer)).body
      assert.deepStrictEqual(job.args.configs, document)
      await call("PUT", "/sdk/v1/requests/started", { body: [job.requestId] })
      await call("POST", "/sdk/v1/requests/completed", { body: [{ requestId: job.requestId, status: "success" }] })
      const [still] = (await call("GET", "/sdk/v1/requests", asServer)).body
      assert.strictEqual(still?.requestId, job.requestId)
      const completed = [{ requestId: job.requestId, status: "success" }]
      await call("POST", "/sdk/v1/requests/completed", { ...asServer, body: completed })
      assert.deepStrictEqual((await call("GET", "/sdk/v1/requests", asServer)).body, [])
    })

    it("pass over jobs that they do not know, and refuse what is no list of jobs", async () => {
      for (const body of [[], [987_654], ["a", "1.5"]]) {
        const answer = await call("PUT", "/sdk/v1/requests/started", { body })
        assert.deepStrictEqual([answer.status, answer.body], [200, {}])
      }
      for (const body of [{}, [null], [true], ["x".repeat(129)]]) {
        const answer = await call("PUT", "/sdk/v1/requests/started", { body })
        assert.deepStrictEqual([answer.status, answer.body.errorCode], [400, "VALIDATION_FAILED"])
      }
      const answer = await call("POST", "/sdk/v1/requests/completed", { body: [{ requestId: 1 }] })
      assert.deepStrictEqual([answer.status, answer.body.errorCode], [400, "VALIDATION_FAILED"])
    })

    it("have their reports kept as markers and as their latest state, without ids of players", async () => {
      const report = {
        timestamp: new Date().toISOString(),
        rootPlaceId: 7,
        universeId: 8,
        placeVersion: 3,
        players: [1001, 1002],
        metadata: { clientPing: { median: 41.5 }, serverFps: { p99: 59 }, privateServerOwnerId: 1003 }
      }
      const answer = await call("POST", "/sdk/v1/servers/roblox/server-1", { body: report })
      assert.deepStrictEqual([answer.status, answer.body], [200, {}])
      assert.strictEqual(await game.count("$serverState", studio.production), 1)
      const raw = await app.request("POST", `/application/${studio.applicationId}/analytics/v1/markers/raw`, {
        headers: { ...studio.cookie, environment_id: String(studio.production) },
        body: { types: ["$serverState"], from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" }
      })
      const [marker] = raw.body.items
      assert.deepStrictEqual(
        [marker.unitId, marker.timestamp, marker.arguments],
        [
          null,
          report.timestamp,
          { universeId: 8, players: 2, "metadata.clientPing.median": 41.5, "metadata.serverFps.p99": 59 }
        ]
      )
      assert.deepStrictEqual(marker.properties, { placeId: 7, placeVersion: 3 })
      const kept = await app.run(
        Effect.flatMap(ServerStateRepo, (states) => states.find(EnvironmentId.make(studio.production), "server-1"))
      )
      const { state } = Option.getOrThrow(kept)
      assert.deepStrictEqual(JSON.parse(state), {
        ...report,
        players: 2,
        metadata: { clientPing: { median: 41.5 }, serverFps: { p99: 59 } }
      })
    })

    it("have a report without a time taken as of now, and a bad one refused", async () => {
      const answer = await call("POST", "/sdk/v1/servers/roblox/server-2", { body: { players: [] } })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(await game.count("$serverState", studio.production), 2)
      const big = await call("POST", "/sdk/v1/servers/roblox/server-3", { body: { note: "x".repeat(9000) } })
      assert.deepStrictEqual([big.status, big.body.errorCode], [400, "VALIDATION_FAILED"])
      const list = await call("POST", "/sdk/v1/servers/roblox/server-3", { body: [] })
      assert.deepStrictEqual([list.status, list.body.errorCode], [400, "VALIDATION_FAILED"])
      assert.strictEqual(await game.count("$serverState", studio.production), 2)
    })

    it("never learn of a newer version than their own", async () => {
      for (const [headers, version] of [
        [{ sdkversion: "4.2.0" }, "4.2.0"],
        [{}, ""]
      ] as const) {
        const { status, body } = await call("GET", "/sdk/v1/latest/version?platform=roblox", { headers })
        assert.deepStrictEqual([status, body], [200, { version }])
      }
    })

    it("refuse who may not, in their own envelope", async () => {
      const powerless = await mintKey(app.request, studio, { permissions: ["analytics:read"] })
      const table = [
        ["GET", "/sdk/v1/configurations"],
        ["GET", "/sdk/v1/experiments"],
        ["POST", "/sdk/v1/experiments/assignments", {}],
        ["GET", "/sdk/v1/requests"],
        ["PUT", "/sdk/v1/requests/started", []],
        ["POST", "/sdk/v1/requests/completed", []],
        ["POST", "/sdk/v1/servers/roblox/server-1", {}],
        ["GET", "/sdk/v1/latest/version"],
        ["GET", "/sdk/v2/experiments/assignment?configName=main&id=a"]
      ] as const
      for (const [method, path, body] of table) {
        for (const [authorization, status, code] of [
          ["sdk_nonsense", 401, "UNAUTHENTICATED"],
          [`Bearer ${powerless}`, 403, "FORBIDDEN"]
        ] as const) {
          const answer = await call(method, path, {
            headers: { authorization },
            ...(body === undefined ? {} : { body })
          })
          const found = [answer.status, answer.body.errorCode, answer.body.code]
          assert.deepStrictEqual(found, [status, code, code], `${path}: ${answer.text}`)
        }
      }
    })
  })
}
