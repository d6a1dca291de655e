import { OpenFeature, ProviderEvents } from "@openfeature/web-sdk"
import { afterEach, assert, beforeAll, describe, it } from "vitest"
import { MemoryStores } from "../../src/app/Layers.ts"
import type { ProviderOptions } from "../../src/openfeature/FlagSource.ts"
import { GamekeeperWebProvider } from "../../src/openfeature/web.ts"
import { memoryStorage } from "../../src/sdk/node.ts"
import { testApp } from "../support/TestApp.ts"
import { definitions } from "./FlagDefinitions.ts"
import { type Line, servedFlags } from "./Served.ts"

const app = testApp(MemoryStores)
let served: Awaited<ReturnType<typeof servedFlags>>
let count = 0
const open: Array<() => Promise<void>> = []
const silent = () => undefined

const started = async (
  line: Line = served.connect(),
  context: Record<string, string | number> = {},
  options: ProviderOptions = {}
) => {
  const domain = `page ${++count}`
  const provider = new GamekeeperWebProvider(line.client, { configuration: "flags", ...options })
  const client = OpenFeature.getClient(domain)
  const events: Array<string> = []
  const changed: Array<ReadonlyArray<string>> = []
  client.addHandler(ProviderEvents.Stale, () => events.push("STALE"))
  client.addHandler(ProviderEvents.Error, () => events.push("ERROR"))
  client.addHandler(ProviderEvents.ContextChanged, () => events.push("CONTEXT"))
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) => changed.push(details?.flagsChanged ?? []))
  await OpenFeature.setContext(domain, context)
  await OpenFeature.setProviderAndWait(domain, provider).catch(() => undefined)
  open.push(() => provider.onClose().then(() => line.client.close()))
  const become = (targetingKey: string, level: number) => OpenFeature.setContext(domain, { targetingKey, level })
  const gems = () => client.getNumberDetails("plain.gems", 1)
  return { provider, client, line, events, changed, become, gems }
}

describe("the provider for pages", () => {
  beforeAll(async () => {
    OpenFeature.setLogger({ error: silent, warn: silent, info: silent, debug: silent })
    served = await servedFlags(app.request)
  })
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
    await served.publish({})
  })

  it("answers at once, from what was asked when the player was set", async () => {
    const { line, become, gems, events } = await started()
    assert.deepInclude(gems(), { value: 10, reason: "DEFAULT" })
    await become("ada", 9)
    assert.deepInclude(gems(), { value: 20, reason: "TARGETING_MATCH", variant: "generous" })
    assert.deepStrictEqual(events, ["CONTEXT"])
    const asked = line.asked.length
    gems()
    await become("ada", 9)
    assert.strictEqual(line.asked.length, asked)
  })

  it("asks about the player of the first context when it starts", async () => {
    const { gems } = await started(undefined, { targetingKey: "bea", level: 9 })
    assert.strictEqual(gems().value, 20)
  })

  it("never answers one player what another gets", async () => {
    const { line, become, gems, client, provider } = await started(undefined, { targetingKey: "cem", level: 9 })
    line.set("down")
    await become("dora", 9).catch(() => undefined)
    assert.strictEqual(client.providerStatus, "ERROR")
    assert.deepInclude(gems(), { value: 10, variant: "base", reason: "STALE" })
    line.set("up")
    await provider.refresh()
    assert.deepInclude(gems(), { value: 20, reason: "TARGETING_MATCH" })
    assert.strictEqual(client.providerStatus, "READY")
  })

  it("asks again about a player who is set once more after the server was away", async () => {
    const { line, become, gems, client, events } = await started()
    line.set("down")
    await become("hugo", 9)
    await become("hugo", 9)
    assert.deepStrictEqual([events, client.providerStatus], [["ERROR", "ERROR"], "ERROR"])
    line.set("up")
    await become("hugo", 9)
    assert.deepStrictEqual([events.at(-1), client.providerStatus, gems().value], ["CONTEXT", "READY", 20])
  })

  it("takes the context that was set last, whichever answer comes first", async () => {
    const { become, gems } = await started()
    await Promise.all([become("eli", 9), become("finn", 2)])
    assert.strictEqual(gems().value, 10)
  })

  it("tells of a player whom the server refuses at once, and is ready for the next", async () => {
    const { become, gems, client } = await started(undefined, { targetingKey: "x".repeat(257), level: 9 })
    assert.strictEqual(client.providerStatus, "ERROR")
    assert.deepInclude(gems(), { value: 10, variant: "base" })
    await become("gina", 9)
    assert.strictEqual(client.providerStatus, "READY")
    assert.deepInclude(gems(), { value: 20, reason: "TARGETING_MATCH" })
  })

  it("tells which flags have changed", async () => {
    const { provider, changed, client } = await started(undefined, { targetingKey: "gus", level: 2 })
    const published = await served.publish({ plain: { ...definitions.plain, banner: "autumn" } })
    assert.strictEqual(published.status, 200, published.text)
    await provider.refresh()
    assert.deepStrictEqual(changed, [["plain"]])
    assert.strictEqual(client.getStringValue("plain.banner", "none"), "autumn")
    await provider.refresh()
    assert.strictEqual(changed.length, 1)
  })

  it("starts without the server from what this player got last", async () => {
    const storage = memoryStorage()
    const context = { targetingKey: "hana", level: 9 }
    await started(served.connect(undefined, storage), context)
    const line = served.connect(undefined, storage)
    line.set("down")
    const { gems, provider, events } = await started(line, context)
    assert.deepInclude(gems(), { value: 20, reason: "STALE" })
    await provider.refresh()
    assert.deepStrictEqual(events, ["STALE"])
  })

  it("starts a game server without the server from no player's copy, though they have one id", async () => {
    const storage = memoryStorage()
    const context = { targetingKey: "ines", level: 9 }
    await started(served.connect(undefined, storage), context)
    const line = served.connect(undefined, storage)
    line.set("down")
    const { gems } = await started(line, context, { unitType: "server" })
    assert.deepInclude(gems(), { value: 10, reason: "STALE" })
  })
})
