import { assert, beforeAll, describe, it } from "@effect/vitest"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

/** What the public JavaScript, Node, Roblox and Unity clients send, in their own shapes and with their own headers. */
describe.each(stores)("the public clients over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Awaited<ReturnType<typeof laboratoryOf>>

  beforeAll(async () => {
    lab = await laboratoryOf(request, "clients")
  })

  const targeted = (...conditions: ReadonlyArray<readonly [property: string, value: unknown]>) =>
    lab.begin({
      targeting: { conditions: conditions.map(([property, value]) => ({ property, operator: "is", value })) }
    })

  const evaluate = async (configuration: string, distinctId: string, context: object) => {
    const unit = { type: "user", distinctId }
    const { status, body } = await lab.sdk("POST", "configurations/evaluate", { configuration, unit, context })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.experiments.length
  }

  it("B1: are enrolled by targeting that names properties of any section", async () => {
    const { configuration } = await targeted(["properties.level", 3], ["roblox.device", "pc"])
    const sections = { properties: { level: 3 }, roblox: { device: "pc", placeId: 7 } }
    assert.strictEqual(await evaluate(configuration.name, "a", { schemaVersion: 1, ...sections }), 1)
    assert.strictEqual(await evaluate(configuration.name, "b", sections), 1)
    const carried = { properties: { "properties.level": 3 }, roblox: { "roblox.device": "pc" } }
    assert.strictEqual(await evaluate(configuration.name, "c", { schemaVersion: 1, ...carried }), 1)
    const phone = { ...sections, roblox: { device: "phone" } }
    assert.strictEqual(await evaluate(configuration.name, "d", { schemaVersion: 1, ...phone }), 0)
    assert.strictEqual(await evaluate(configuration.name, "e", { schemaVersion: 1, properties: { level: 3 } }), 0)
  })

  it("B1: are told which part of their context is none", async () => {
    const { configuration } = await targeted()
    const unit = { type: "user", distinctId: "x" }
    const ask = (context: unknown) =>
      lab.sdk("POST", "configurations/evaluate", { configuration: configuration.name, unit, context })
    const rows: ReadonlyArray<readonly [unknown, RegExp]> = [
      [{ schemaVersion: 2 }, /schemaVersion/],
      [{ schemaVersion: 1, roblox: 3 }, /roblox/],
      [{ schemaVersion: 1, roblox: { device: { name: "pc" } } }, /roblox\.device/],
      [[], /context/]
    ]
    for (const [context, message] of rows) {
      const answer = await ask(context)
      assert.strictEqual(answer.body.code, "VALIDATION_FAILED")
      assert.match(answer.body.message, message)
    }
  })

  it("B2: send units of a bulk request with contexts of their own, without a version", async () => {
    const { experiment } = await targeted(["roblox.device", "pc"], ["properties.level", 3])
    const { status, body } = await lab.sdk("POST", "experiments/assignments/bulk", {
      unitType: "user",
      sharedContext: { schemaVersion: 1, properties: { level: 3 } },
      units: [
        { distinctId: "pc", context: { roblox: { device: "pc" } } },
        { distinctId: "phone", context: { roblox: { device: "phone" } } },
        { distinctId: "low", context: { roblox: { device: "pc" }, properties: { level: 1 } } },
        { distinctId: "bare" }
      ]
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    const enrolled = Object.entries<ReadonlyArray<{ experimentId: number }>>(body.assignments)
      .filter(([, all]) => all.some(({ experimentId }) => experimentId === experiment.id))
      .map(([distinctId]) => distinctId)
    assert.deepStrictEqual(enrolled, ["pc"])
  })

  it("B3: run in a browser, whose preflight asks for the headers they send", async () => {
    const common = ["authorization", "content-type", "environment", "sdkversion", "isstudio", "project-id"]
    const asked = [...common, "content-encoding", "if-none-match", "server-id", "serverid", "universeid"]
    for (const path of ["/sdk/v1/markers", "/sdk/v2/configurations/evaluate", "/sdk/v1/cohorts/membership"]) {
      const answer = await request("OPTIONS", path, {
        headers: {
          origin: "https://game.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": asked.join(",")
        }
      })
      const allowed = (answer.headers.get("access-control-allow-headers") ?? "").split(", ")
      assert.includeMembers(allowed, asked)
      assert.strictEqual(answer.status, 204)
    }
  })

  it("B6: find a configuration that was made with a name alone by its alias", async () => {
    const { body } = await lab.call("POST", `${lab.root}/configuration`, { name: "Shop Prices", configuration: {} })
    assert.strictEqual(body.alias, "shop-prices")
    assert.strictEqual((await lab.sdk("GET", "configurations?configuration=shop-prices")).status, 200)
    const again = await lab.call("POST", `${lab.root}/configuration`, { name: "shop prices!", configuration: {} })
    assert.strictEqual(again.body.alias, null)
    const none = await lab.call("POST", `${lab.root}/configuration`, { name: "No alias", alias: null })
    assert.strictEqual(none.body.alias, null)
  })

  it("find a configuration by its alias as a developer spells it, an exact name before it", async () => {
    const name = "Game Economy"
    await lab.call("POST", `${lab.root}/configuration`, { name, configuration: { from: "alias" } })
    await lab.call("POST", `${lab.root}/configuration`, { name: "GAME ECONOMY", configuration: { from: "name" } })
    const rows: ReadonlyArray<readonly [asked: string, status: number, from: string | undefined]> = [
      ["game-economy", 200, "alias"],
      ["Game-Economy", 200, "alias"],
      ["game  economy!", 200, "alias"],
      ["GAME ECONOMY", 200, "name"],
      ["gameeconomy", 404, undefined],
      ["!", 404, undefined]
    ]
    for (const [asked, status, from] of rows) {
      const unit = { type: "user", distinctId: "speller" }
      const parameter = encodeURIComponent(asked)
      const answers = [
        await lab.sdk("GET", `configurations?configuration=${parameter}`),
        await lab.sdk("POST", "configurations/evaluate", { configuration: asked, unit }),
        await lab.sdk("GET", `configs/${parameter}`)
      ]
      for (const { status: answered, body } of answers) {
        assert.strictEqual(answered, status, asked)
        assert.strictEqual(status === 404 ? body.errorCode : body.configuration.from, from ?? "CONFIGURATION_NOT_FOUND")
      }
    }
  })

  it("B4: are new where the server has never seen the player before the experiment, whatever they claim", async () => {
    const claim = { schemaVersion: 1, unit: { isNewUser: true }, properties: { "unit.isNewUser": true } }
    const elsewhere = await lab.configure()
    assert.strictEqual(await evaluate(elsewhere.name, "evaluated before", claim), 0)
    const marker = (distinctId: string, minutesAgo: number) => ({
      timestamp: Date.now() - minutesAgo * 60_000,
      eventName: "Login",
      distinctId
    })
    await lab.game.send([marker("played before", 60)], { environment: "development" })
    const { configuration, path } = await lab.begin({ targeting: { newUsersOnly: true } })
    assert.strictEqual(await evaluate(configuration.name, "evaluated before", claim), 0)
    assert.strictEqual(await evaluate(configuration.name, "played before", claim), 0)
    assert.strictEqual(await evaluate(elsewhere.name, "played before", claim), 0)
    assert.strictEqual(await evaluate(configuration.name, "played before", claim), 0)
    assert.strictEqual(await evaluate(configuration.name, "claims nothing", { schemaVersion: 1 }), 1)
    await lab.game.send([marker("plays first", 0)], { environment: "development" })
    assert.strictEqual(await evaluate(configuration.name, "plays first", {}), 1)
    assert.strictEqual(await evaluate(elsewhere.name, "asks elsewhere first", {}), 0)
    assert.strictEqual(await evaluate(configuration.name, "asks elsewhere first", {}), 1)
    const units = ["bulk", "evaluated before"].map((distinctId) => ({ distinctId, context: claim }))
    const { body } = await lab.sdk("POST", "experiments/assignments/bulk", { unitType: "user", units })
    const taken = Object.entries<ReadonlyArray<{ experimentId: number }>>(body.assignments).map(([id, all]) => [
      id,
      all.filter(({ experimentId }) => path.endsWith(`/${experimentId}`)).length
    ])
    assert.deepStrictEqual(taken, [
      ["bulk", 1],
      ["evaluated before", 0]
    ])
  })

  it("B4: are held to conditions on being new as the server knows it, whatever they claim, and not asked to send it", async () => {
    const marker = { timestamp: Date.now() - 3_600_000, eventName: "Login", distinctId: "known" }
    await lab.game.send([marker], { environment: "development" })
    const beginFor = (operator: string, more: object = {}) =>
      lab.begin({ targeting: { conditions: [{ property: "unit.isNewUser", operator, value: true }] }, ...more })
    const [newcomers, regulars] = [
      (await beginFor("is")).configuration.name,
      (await beginFor("isNot")).configuration.name
    ]
    for (const claim of [{}, { unit: { isNewUser: true } }, { unit: { isNewUser: false } }]) {
      assert.strictEqual(await evaluate(newcomers, "known", claim), 0)
      assert.strictEqual(await evaluate(newcomers, `fresh ${JSON.stringify(claim)}`, claim), 1)
      assert.strictEqual(await evaluate(regulars, `fresh ${JSON.stringify(claim)}`, claim), 0)
    }
    assert.strictEqual(await evaluate(regulars, "known", { unit: { isNewUser: true } }), 1)
    const { configuration } = await beginFor("is", { permanentEnrollment: false })
    for (let time = 0; time < 2; time++) assert.strictEqual(await evaluate(configuration.name, "stays", {}), 1)
    const { body } = await lab.sdk("GET", "bootstrap")
    assert.notInclude(body.requiredProperties, "unit.isNewUser")
  })

  it("Unity: markers with ids without hyphens and a session, and a configuration by alias with its hash", async () => {
    const headers = { sdkversion: "0.1.0", environment: "development" }
    const marker = {
      markerId: "0123456789abcdef0123456789abcdef",
      timestamp: Date.now(),
      eventName: "LevelCompleted",
      sessionId: "session-1",
      distinctId: "device-1",
      properties: { level: 1 }
    }
    const legacy = { ...headers, universeid: "0", serverid: "session-1", isstudio: "false" }
    assert.strictEqual((await lab.game.send([marker], legacy)).body.ingestedMarkersCount, 1)
    assert.strictEqual((await lab.game.send([marker], legacy)).body.duplicateMarkersCount, 1)
    const { alias } = await lab.configure()
    const first = await lab.sdk("GET", `configurations?configuration=${alias}`, undefined, headers)
    const { hash } = first.body
    const second = await lab.sdk("GET", `configurations?configuration=${alias}&hash=${hash}`, undefined, headers)
    assert.deepStrictEqual([first.status, second.status, second.text], [200, 304, ""])
  })

  it("Unity and Roblox: markers without a payload, and with an empty one", async () => {
    const now = Date.now()
    const named = { timestamp: now, eventName: "Bare", sessionId: "session-1", distinctId: "device-1" }
    const typed = { timestamp: now, type: "Bare", serverId: "studio:1", userId: 1001, properties: { placeId: 77 } }
    const markers: ReadonlyArray<readonly [what: string, marker: object]> = [
      ["no properties", { ...named, properties: null }],
      ["empty properties", { ...named, properties: {} }],
      ["no value", typed],
      ["an empty table, which is an empty list", { ...typed, value: [] }],
      ["a server's marker", { ...typed, userId: undefined, value: { value: "text" } }]
    ]
    for (const [what, marker] of markers) {
      const { status, body } = await lab.game.send([{ markerId: crypto.randomUUID().toUpperCase(), ...marker }])
      assert.deepStrictEqual([status, body.ingestedMarkersCount, body.rejectedMarkers], [200, 1, []], what)
    }
  })

  it("Node: markers of a user, and assignments by configuration name", async () => {
    const headers = { isstudio: "true", sdkversion: "0.1.0" }
    const marker = {
      markerId: crypto.randomUUID(),
      timestamp: Date.now(),
      eventName: "Purchase",
      serverId: "node-0000",
      userId: "42",
      properties: { value: 3 }
    }
    assert.strictEqual((await lab.game.send([marker], headers)).body.ingestedMarkersCount, 1)
    const { configuration } = await targeted()
    const path = `experiments/assignment?configName=${encodeURIComponent(configuration.name)}&id=a&id=b`
    const answer = await lab.sdk("GET", path, undefined, headers)
    assert.deepStrictEqual(
      answer.body.map(({ id }: { id: string }) => id),
      ["a", "b"]
    )
  })
})
