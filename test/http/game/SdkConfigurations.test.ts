import { assert, beforeAll, describe, it } from "@effect/vitest"
import { ConfigurationId } from "../../../src/domain/Ids.ts"
import { anExperimentOn } from "../../support/experiments/Running.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import type { Call } from "../../support/TestApp.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"

const polls = [
  "/sdk/v2/bootstrap",
  "/sdk/v2/status",
  "/sdk/v2/configurations",
  "/sdk/v2/configurations?configuration=m"
]

const withHash = (path: string, hash: string) =>
  `${path}${path.includes("?") ? "&" : "?"}hash=${encodeURIComponent(hash)}`

for (const [label, store] of stores) {
  describe(`what games fetch (${label})`, () => {
    const app = testApp(store)
    let studio: Studio
    let publicKey: string
    let secretKey: string
    let id: number

    const call = (path: string, headers: Record<string, string> = {}, more: Call = {}) =>
      app.request(more.body === undefined ? "GET" : "POST", path, {
        headers: { authorization: publicKey, ...headers },
        ...more
      })

    const evaluate = (body: object, headers: Record<string, string> = {}) =>
      call("/sdk/v2/configurations/evaluate", headers, { body })

    const change = (path: ReadonlyArray<string>, value: unknown) =>
      app.request("PATCH", `/application/${studio.applicationId}/v2/configuration/${id}`, {
        headers: studio.cookie,
        body: { changes: [{ op: "set", path, value }] }
      })

    beforeAll(async () => {
      studio = await openStudio(app.request, "ada")
      publicKey = await mintKey(app.request, studio, { type: "public" })
      secretKey = await mintKey(app.request, studio, { permissions: ["sdk:read"] })
      const created = await app.request("POST", `/application/${studio.applicationId}/v2/configuration`, {
        headers: studio.cookie,
        body: { name: "main", alias: "m", configuration: { speed: 1, boss: 9 }, privacy: [["boss"]], isPrimary: true }
      })
      id = created.body.id
    })

    it("comes to raw and Bearer keys alike, private paths to secret keys alone", async () => {
      for (const path of polls) {
        const [raw, bearer] = [await call(path), await call(path, { authorization: `Bearer ${publicKey}` })]
        assert.deepStrictEqual([raw.status, raw.text], [200, bearer.text])
        assert.match(raw.headers.get("content-type") ?? "", /^application\/json/)
        assert.notInclude(raw.text, "boss")
        if (path.includes("status")) continue
        for (const authorization of [secretKey, `Bearer ${secretKey}`]) {
          const { body } = await call(path, { authorization })
          const { configuration, privacy } = body.configurations?.[0] ?? body
          assert.deepStrictEqual([configuration, privacy], [{ speed: 1, boss: 9 }, [["boss"]]])
        }
      }
    })

    it("has numbers for numbers and every key that games read", async () => {
      const { hash, ...bootstrap } = (await call("/sdk/v2/bootstrap")).body
      const [configuration] = bootstrap.configurations
      assert.deepStrictEqual(bootstrap, {
        configurations: [
          { id, name: "main", alias: "m", hash: configuration.hash, configuration: { speed: 1 }, privacy: [] }
        ],
        primaryConfigurationId: id,
        experiments: { user: [], server: [] },
        requiredProperties: [],
        polling: { intervalSeconds: 30, jitterRatio: 0.2 }
      })
      const status = (await call("/sdk/v2/status")).body
      assert.notStrictEqual(status.hash, hash)
      assert.deepStrictEqual(status, {
        ...bootstrap,
        hash: status.hash,
        configurations: [{ id, name: "main", alias: "m", hash: configuration.hash, experiments: [] }]
      })
      const { updatedAt, ...got } = (await call("/sdk/v2/configurations")).body
      assert.match(updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(got, {
        hash: configuration.hash,
        configurationId: id,
        name: "main",
        configuration: { speed: 1 },
        privacy: []
      })
    })

    it("is 304 without a body to who knows it, and only to those", async () => {
      for (const path of polls) {
        const { headers, body } = await call(path)
        const { hash } = body
        assert.strictEqual(headers.get("etag"), `"${hash}"`)
        const knowing = [
          await call(withHash(path, hash)),
          await call(withHash(path, `"${hash}"`)),
          ...(await Promise.all(
            [hash, `"${hash}"`, `W/"${hash}"`, `"x", "${hash}"`, "*"].map((sent) =>
              call(path, { "if-none-match": sent })
            )
          ))
        ]
        for (const answer of knowing) {
          assert.deepStrictEqual([answer.status, answer.text, answer.headers.get("etag")], [304, "", `"${hash}"`], path)
        }
        const unknowing = [
          await call(withHash(path, "")),
          await call(withHash(path, `${hash}x`)),
          await call(withHash(path, "*")),
          await call(path, { "if-none-match": '"other"' }),
          // A cache on the way holds what was there before, and would give it to whoever knows what is there now.
          await call(withHash(path, hash), { "if-none-match": '"other"' })
        ]
        for (const answer of unknowing) assert.strictEqual(answer.status, 200, path)
      }
    })

    it("changes its hash with what a game is shown, and with nothing else", async () => {
      const hashes = () => Promise.all(polls.map(async (path) => (await call(path)).body.hash))
      const before = await hashes()
      await change(["boss"], 10)
      assert.deepStrictEqual(await hashes(), before)
      await change(["speed"], 2)
      const after = await hashes()
      after.forEach((hash, index) => assert.notStrictEqual(hash, before[index], polls[index]))
      assert.strictEqual((await call(withHash("/sdk/v2/status", before[1]!))).status, 200)
      await change(["speed"], 1)
      assert.deepStrictEqual(await hashes(), before)
      await change(["boss"], 9)
    })

    it("is evaluated for a unit with the hash of the configuration where no experiment is about it", async () => {
      const { hash } = (await call("/sdk/v2/configurations")).body
      const unit = { type: "user", distinctId: "7" }
      const answer = await evaluate({
        unit,
        configuration: "m",
        context: { schemaVersion: 1, properties: { "properties.a": [1, 2] } }
      })
      const { updatedAt, ...body } = answer.body
      assert.match(updatedAt, /Z$/)
      assert.deepStrictEqual(body, {
        hash,
        configurationId: id,
        name: "main",
        configuration: { speed: 1 },
        privacy: [],
        experiments: [],
        requiredProperties: []
      })
      for (const known of [hash, `"${hash}"`]) {
        assert.strictEqual((await evaluate({ unit, knownHash: known })).status, 304)
        assert.strictEqual((await evaluate({ unit }, { "if-none-match": known })).status, 304)
      }
      assert.strictEqual((await evaluate({ unit, knownHash: "" })).status, 200)
    })

    it("refuses in JSON, with the name of the error where game SDKs read it", async () => {
      const unit = { type: "user", distinctId: "7" }
      const bad = [
        { unit: { type: "user", distinctId: 7 } },
        { unit: { type: "user", distinctId: "" } },
        { unit: { type: "player", distinctId: "7" } },
        { unit, context: { schemaVersion: 2 } },
        { unit, context: { schemaVersion: 1, properties: { "properties.a": [1, "b"] } } },
        { unit, context: { schemaVersion: 1, properties: { "properties.a": { b: 1 } } } },
        { unit, knownHash: 1 },
        {}
      ]
      for (const body of bad) {
        const answer = await evaluate(body)
        assert.deepStrictEqual([answer.status, answer.body.errorCode], [400, "VALIDATION_FAILED"], JSON.stringify(body))
        assert.deepStrictEqual(Object.keys(answer.body).sort(), [...envelopeKeys, "errorCode"].sort())
      }
      for (const answer of [
        await call("/sdk/v2/configurations?configuration=none"),
        await call("/sdk/v2/configurations", { environment: "development" }),
        await evaluate({ unit, configuration: "none" })
      ]) {
        assert.deepStrictEqual([answer.status, answer.body.errorCode], [404, "CONFIGURATION_NOT_FOUND"])
      }
      const nowhere = await call("/sdk/v2/status", { environment: "nowhere" })
      assert.deepStrictEqual([nowhere.status, nowhere.body.errorCode], [404, "ENVIRONMENT_NOT_FOUND"])
      const unknown = await call("/sdk/v2/nothing")
      assert.deepStrictEqual([unknown.status, unknown.body.errorCode], [404, "ROUTE_NOT_FOUND"])
      const stranger = await call("/sdk/v2/status", { authorization: "sdk_nonsense" })
      assert.deepStrictEqual([stranger.status, stranger.body.errorCode], [401, "UNAUTHENTICATED"])
    })

    it("tells of running experiments, by the type of their units", async () => {
      const [user, server] = [
        await app.run(anExperimentOn(studio, ConfigurationId.make(id))),
        await app.run(
          anExperimentOn(studio, ConfigurationId.make(id), { unitType: "server", assignmentMode: "roundRobin" })
        )
      ]
      await change(["speed"], 3)
      const { body } = await call("/sdk/v2/status")
      const groups = [{ name: "control" }, { name: "bonus" }]
      assert.deepStrictEqual(body.configurations[0].experiments, [
        { id: user.id, groups },
        { id: server.id, groups }
      ])
      const weights = (experiments: ReadonlyArray<{ readonly groups: ReadonlyArray<{ readonly weight: unknown }> }>) =>
        experiments.map((each) => each.groups.map(({ weight }) => weight))
      assert.deepStrictEqual(weights(body.experiments.user), [[5000, 5000]])
      assert.deepStrictEqual(weights(body.experiments.server), [[null, null]])
      assert.deepStrictEqual((await call("/sdk/v2/bootstrap")).body.experiments, body.experiments)
    })
  })
}
