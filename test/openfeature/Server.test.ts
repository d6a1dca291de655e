import { OpenFeature, ProviderEvents } from "@openfeature/server-sdk"
import { afterEach, assert, beforeAll, describe, it } from "vitest"
import { MemoryStores } from "../../src/app/Layers.ts"
import { GamekeeperProvider, type ServerProviderOptions } from "../../src/openfeature/server.ts"
import { memoryStorage } from "../../src/sdk/node.ts"
import { testApp } from "../support/TestApp.ts"
import { definitions } from "./FlagDefinitions.ts"
import { type Line, servedFlags } from "./Served.ts"

const app = testApp(MemoryStores)
let served: Awaited<ReturnType<typeof servedFlags>>
let count = 0
const open: Array<() => Promise<void>> = []

/** A provider in a domain of its own, set and started, with what its events said. */
const started = async (line: Line = served.connect(), options: ServerProviderOptions = {}) => {
  const domain = `lifecycle ${++count}`
  const provider = new GamekeeperProvider(line.client, { configuration: "flags", ...options })
  const client = OpenFeature.getClient(domain)
  const events: Array<string> = []
  const changed: Array<ReadonlyArray<string>> = []
  client.addHandler(ProviderEvents.Ready, () => events.push("READY"))
  client.addHandler(ProviderEvents.Stale, () => events.push("STALE"))
  client.addHandler(ProviderEvents.Error, () => events.push("ERROR"))
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) => changed.push(details?.flagsChanged ?? []))
  await OpenFeature.setProviderAndWait(domain, provider).catch(() => undefined)
  open.push(() => provider.onClose().then(() => line.client.close()))
  return { provider, client, line, events, changed }
}

const player = (targetingKey: string, level: number) => ({ targetingKey, level })

describe("the provider for servers", () => {
  beforeAll(async () => {
    served = await servedFlags(app.request)
  })
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
    await served.publish({})
  })

  it("asks about a player only where an experiment decides, and once while the answer holds", async () => {
    const { client, line } = await started()
    line.asked.length = 0
    assert.isTrue(await client.getBooleanValue("boolean-flag", false, player("ada", 9)))
    assert.deepStrictEqual(line.asked, [])
    const both = ["plain.gems", "split-flag"].map((key) => client.getNumberValue(key, 1, player("ada", 9)))
    assert.strictEqual((await Promise.all(both))[0], 20)
    assert.strictEqual(await client.getNumberValue("plain.gems", 1, player("ada", 9)), 20)
    assert.deepStrictEqual(line.asked, ["/sdk/v2/configurations/evaluate"])
    assert.strictEqual(await client.getNumberValue("plain.gems", 1, player("ada", 2)), 10)
    assert.strictEqual(line.asked.length, 2)
  })

  it("has one player alone wait for a server that is away, and the others once it is back", async () => {
    const { client, line, provider } = await started()
    const ask = (name: string) => client.getNumberDetails("plain.gems", 1, player(name, 9))
    await ask("ada")
    line.asked.length = 0
    line.set("down")
    for (const name of ["bob", "bob", "cyd", "dan"])
      assert.deepInclude(await ask(name), { value: 10, reason: "STALE", variant: "base" })
    assert.deepStrictEqual(line.asked, ["/sdk/v2/configurations/evaluate"])
    line.set("up")
    await provider.refresh()
    assert.deepInclude(await ask("bob"), { value: 20, reason: "TARGETING_MATCH" })
  })

  it("gives who has no targeting key what everybody gets", async () => {
    const { client, line } = await started()
    line.asked.length = 0
    const details = await client.getNumberDetails("plain.gems", 1, { level: 9 })
    assert.deepInclude(details, { value: 10, reason: "DEFAULT", variant: "base" })
    assert.deepStrictEqual(line.asked, [])
  })

  it("names experiment and group in the metadata", async () => {
    const { client } = await started()
    const { flagMetadata } = await client.getNumberDetails("plain.gems", 1, player("bob", 9))
    assert.deepInclude(flagMetadata, { experiment: "gems", group: "generous" })
    assert.isNumber(flagMetadata["experimentId"])
    assert.isNumber(flagMetadata["groupId"])
  })

  it("tells which flags a publish has changed, and asks about players anew", async () => {
    const { provider, client, changed, line } = await started()
    assert.strictEqual(await client.getNumberValue("plain.gems", 1, player("cy", 9)), 20)
    const published = await served.publish({ plain: { ...definitions.plain, banner: "autumn" }, added: true })
    assert.strictEqual(published.status, 200, published.text)
    await provider.refresh()
    assert.deepStrictEqual(changed, [["plain", "added"]])
    assert.isTrue(await client.getBooleanValue("added", false))
    assert.strictEqual(await client.getStringValue("plain.banner", "none"), "autumn")
    line.asked.length = 0
    const plain = await client.getObjectValue("plain", {}, player("cy", 9))
    assert.deepInclude<object>(Object(plain), { banner: "autumn", gems: 20 })
    assert.deepStrictEqual(line.asked, ["/sdk/v2/configurations/evaluate"])
  })

  it("keeps the last values where the server is gone, says so, and says when it is back", async () => {
    const { provider, client, line, events } = await started()
    await client.getNumberValue("plain.gems", 1, player("dan", 9))
    line.set("down")
    await provider.refresh()
    await provider.refresh()
    assert.strictEqual(client.providerStatus, "STALE")
    const gems = await client.getNumberDetails("plain.gems", 1, player("dan", 9))
    assert.deepInclude(gems, { value: 20, reason: "STALE", variant: "generous" })
    const stranger = await client.getNumberDetails("plain.gems", 1, player("eve", 9))
    assert.deepInclude(stranger, { value: 10, reason: "STALE", variant: "base" })
    line.set("up")
    await provider.refresh()
    assert.strictEqual(client.providerStatus, "READY")
    assert.deepStrictEqual(events, ["READY", "STALE", "READY"])
    assert.strictEqual((await client.getBooleanDetails("boolean-flag", false)).reason, "STATIC")
  })

  it("starts with an error where nothing is reached or kept, and is ready once it is", async () => {
    const line = served.connect()
    line.set("down")
    const { provider, client, events } = await started(line)
    const details = await client.getBooleanDetails("boolean-flag", false)
    assert.deepInclude<object>(details, { value: false, reason: "ERROR", errorCode: "PROVIDER_NOT_READY" })
    line.set("up")
    await provider.refresh()
    assert.deepStrictEqual(events, ["ERROR", "READY"])
    assert.isTrue(await client.getBooleanValue("boolean-flag", false))
  })

  it("starts from the copy that was kept", async () => {
    const storage = memoryStorage()
    await started(served.connect(undefined, storage))
    const line = served.connect(undefined, storage)
    line.set("down")
    const { client, provider, events } = await started(line)
    assert.deepInclude(await client.getBooleanDetails("boolean-flag", false), { value: true, reason: "STALE" })
    await provider.refresh()
    assert.deepStrictEqual(events, ["READY", "STALE"])
  })

  it("ends for good where the key is refused", async () => {
    const line = served.connect("gk_public_unheard_of")
    const { client } = await started(line)
    assert.strictEqual(client.providerStatus, "FATAL")
    assert.deepInclude<object>(await client.getBooleanDetails("boolean-flag", false), { errorCode: "PROVIDER_FATAL" })
  })

  it("answers INVALID_CONTEXT to a context that the server refuses", async () => {
    const { client } = await started()
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`property${n}`, n]))
    const details = await client.getNumberDetails("plain.gems", 1, { targetingKey: "fay", ...many })
    assert.deepInclude<object>(details, { value: 1, reason: "ERROR", errorCode: "INVALID_CONTEXT" })
  })

  it("sends dates as texts and leaves objects out of what it says of a player", async () => {
    const { client } = await started()
    const context = { ...player("gil", 9), since: new Date(0), tags: ["a", "b"], deep: { of: 1 } }
    assert.strictEqual(await client.getNumberValue("plain.gems", 1, context), 20)
  })

  it("holds no more of its players than it may", async () => {
    const { client, line } = await started(undefined, { mostBytes: 1 })
    line.asked.length = 0
    for (let n = 0; n < 2; n++) await client.getNumberValue("plain.gems", 1, player("hal", 9))
    assert.strictEqual(line.asked.length, 2)
  })

  it("tracks markers of the player", async () => {
    const { client, line } = await started()
    client.track("Bought", player("ida", 9), { value: 4.5, item: "sword", deep: { of: 1 } })
    await line.client.flush()
    assert.deepStrictEqual(line.problems, [])
    const at = `/application/${served.studio.applicationId}/analytics/v1/queries/insights/execute`
    const chart = await app.request("POST", at, {
      headers: { ...served.studio.cookie, environment_id: String(served.studio.production) },
      body: {
        time: { step: "day", relative: { step: "day", value: 2 } },
        metrics: [{ id: "A", data: { name: "Bought", type: "sum", argument: "value" } }]
      }
    })
    assert.strictEqual(chart.status, 200, chart.text)
    assert.strictEqual(chart.body.series[0].aggregate, 4.5)
  })

  it("tracks what no player is named for as nobody's, as flags are evaluated", async () => {
    const { client, line } = await started()
    client.track("Seen", { targetingKey: "" })
    client.track("Seen", {})
    await line.client.flush()
    assert.deepStrictEqual(line.problems, [])
    const at = `/application/${served.studio.applicationId}/analytics/v1/queries/insights/execute`
    const metric = (id: string, type: string) => ({ id, data: { name: "Seen", type } })
    const counted = await app.request("POST", at, {
      headers: { ...served.studio.cookie, environment_id: String(served.studio.production) },
      body: {
        time: { step: "day", relative: { step: "day", value: 2 } },
        metrics: [metric("A", "totalEvents"), metric("B", "uniqueUsers")]
      }
    })
    assert.strictEqual(counted.status, 200, counted.text)
    const series: ReadonlyArray<{ readonly aggregate: number }> = counted.body.series
    assert.deepStrictEqual(
      series.map(({ aggregate }) => aggregate),
      [2, 0],
      counted.text
    )
  })

  it("leaves out a date that is none, of markers and of players", async () => {
    const { client, line } = await started()
    client.track("Opened", player("jon", 9), { value: 2, since: new Date(Number.NaN) })
    assert.strictEqual(line.client.waiting(), 1)
    await line.client.flush()
    assert.deepStrictEqual([line.client.waiting(), line.problems], [0, []])
    const context = { ...player("jon", 9), since: new Date(Number.NaN) }
    const gems = await client.getNumberDetails("plain.gems", 1, context)
    assert.deepInclude(gems, { value: 20, reason: "TARGETING_MATCH" })
  })
})
