import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, writeFileSync, appendFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type Client,
  type ClientOptions,
  createClient,
  fileStorage,
  memoryStorage,
  type Problem
} from "../../src/sdk/node.ts"
import { mintKey, openStudio, type Studio } from "../support/access/Studio.ts"
import { fetchRequest, removeFolder, startServer } from "../support/Server.ts"

const folder = mkdtempSync(join(tmpdir(), "gamekeeper-sdk-"))
let server: Awaited<ReturnType<typeof startServer>>
let studio: Studio
let key = ""
const clients: Array<Client> = []

const client = (options: Partial<ClientOptions> = {}): { client: Client; problems: Array<Problem> } => {
  const problems: Array<Problem> = []
  const made = createClient({
    url: server.url,
    key,
    environment: "production",
    distinctId: "ada",
    flushSeconds: 60,
    onProblem: (problem) => problems.push(problem),
    ...options
  })
  clients.push(made)
  return { client: made, problems }
}

/** Total markers of a type. */
const total = async (name: string): Promise<number> => {
  const chart = await fetchRequest(server.url)(
    "POST",
    `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`,
    {
      headers: { ...studio.cookie, environment_id: String(studio.production) },
      body: {
        time: { step: "day", relative: { step: "day", value: 2 } },
        metrics: [{ id: "A", data: { name, type: "totalEvents" } }]
      }
    }
  )
  return chart.body.series[0].aggregate
}

const publish = (name: string, configuration: object) =>
  fetchRequest(server.url)("POST", `/application/${studio.applicationId}/v2/configuration`, {
    headers: { ...studio.cookie, environment_id: String(studio.production) },
    body: { name, configuration }
  })

describe("the client for games", () => {
  beforeAll(async () => {
    server = await startServer(join(folder, "data"), ["--warm-up", "off"])
    studio = await openStudio(fetchRequest(server.url), "games")
    key = await mintKey(fetchRequest(server.url), studio, { type: "public" })
  })
  afterAll(async () => {
    for (const each of clients) await each.close()
    await server.stop()
    removeFolder(folder)
  })

  it("sends what was tracked, once, and tells which markers were refused", async () => {
    const { client: game, problems } = client()
    for (let n = 0; n < 3; n++) assert.isTrue(game.track("Sent", { n }))
    game.track("", {})
    game.track("TooMuch", Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`argument${n}`, n])))
    await game.flush()
    assert.strictEqual(game.waiting(), 0)
    assert.strictEqual(await total("Sent"), 3)
    assert.deepStrictEqual(
      problems.map(({ kind }) => kind),
      ["rejected", "rejected"]
    )
    assert.match(problems[1]!.message, /^marker .*: .*64/)
  })

  it("gives up the marker for which the server refuses the body that it is in, and sends those around it", async () => {
    const { client: game, problems } = client()
    const deep: any = JSON.parse(`${"[".repeat(2_000)}"${"a".repeat(70_000)}"${"]".repeat(2_000)}`)
    for (const level of [1, 2, deep, 3, 4]) game.track("Around", { level })
    await game.flush()
    assert.deepStrictEqual([game.waiting(), await total("Around")], [0, 4])
    assert.deepStrictEqual(
      problems.map(({ kind }) => kind),
      ["rejected"]
    )
    assert.match(problems[0]!.message, /^marker .*: body: expected at most 100 levels of nesting$/)
  })

  it("keeps markers while the server refuses a key of several projects, with 400 too", async () => {
    const second = await fetchRequest(server.url)("POST", `/organization/${studio.organizationId}/projects`, {
      headers: studio.cookie,
      body: { name: "Second game" }
    })
    assert.strictEqual(second.status, 201, second.text)
    const wide = await mintKey(fetchRequest(server.url), studio, { permissions: ["sdk:ingest"] })
    const { client: game, problems } = client({ key: wide })
    game.track("Wide")
    await game.flush()
    assert.strictEqual(game.waiting(), 1)
    assert.deepStrictEqual(problems, [{ kind: "refused", message: "project-id: this key spans projects, so name one" }])
  })

  it("sends what waits when it is closed", async () => {
    const { client: game, problems } = client({ closeSeconds: 60 })
    game.track("Closing", { a: 1 })
    await game.close()
    assert.deepStrictEqual([await total("Closing"), problems], [1, []])
  })

  it("keeps markers while the server refuses the key, and takes no more than may wait", async () => {
    const { client: game, problems } = client({ key: "gk_no_such_key", mostWaiting: 2 })
    assert.deepStrictEqual([game.track("Kept"), game.track("Kept"), game.track("Kept")], [true, true, false])
    await game.flush()
    assert.strictEqual(game.waiting(), 2)
    assert.deepStrictEqual(
      problems.map(({ kind }) => kind),
      ["full", "refused"]
    )
  })

  it("goes on with what another process left in its folder, however that ended", async () => {
    const queue = join(folder, "queue")
    const { client: first } = client({ url: "http://127.0.0.1:9", storage: fileStorage(queue) })
    first.track("Left", { level: 3 })
    await first.stored()
    await first.close()
    appendFileSync(join(queue, "markers.ndjson"), '{"kept":[{"markerId":"half')
    const { client: second, problems } = client({ storage: fileStorage(queue) })
    await second.stored()
    await second.flush()
    assert.deepStrictEqual([second.waiting(), await total("Left"), problems], [0, 1, []])
    await second.close()
    const { client: third } = client({ storage: fileStorage(queue) })
    await third.stored()
    assert.strictEqual(third.waiting(), 0)
  })

  it("tells where nothing can be kept, and sends all the same", async () => {
    writeFileSync(join(folder, "file"), "")
    const { client: game, problems } = client({ storage: fileStorage(join(folder, "file", "queue")) })
    game.track("Unkept")
    await game.flush()
    assert.strictEqual(await total("Unkept"), 1)
    assert.isTrue(problems.length > 0 && problems.every(({ kind }) => kind === "storage"))
  })

  it("hears at once of what is published, and of nothing once it is closed", async () => {
    const made = await publish("event", { banner: "summer" })
    const { client: game, problems } = client({ stream: true })
    const event = game.configuration({ name: "event", defaults: { banner: "none" }, pollSeconds: 86_400 })
    await event.ready
    const changed = new Promise<string>((heard) => event.onChange(({ banner }) => heard(banner)))
    const at = `/application/${studio.applicationId}/v2/configuration/${made.body.id}`
    await fetchRequest(server.url)("PUT", at, {
      headers: { ...studio.cookie, environment_id: String(studio.production) },
      body: { name: "event", configuration: { banner: "autumn" } }
    })
    assert.strictEqual(await changed, "autumn")
    await game.close()
    assert.deepStrictEqual(problems, [])
  })

  it("has values at once, then those of the server, and the last good ones without it", async () => {
    await publish("shop", { price: 7, title: 3 })
    const storage = memoryStorage()
    const defaults = { price: 5, title: "Shop" }
    const { client: game, problems } = client({ storage })
    const shop = game.configuration({ name: "shop", defaults })
    assert.deepStrictEqual(shop.values, defaults)
    await shop.ready
    assert.deepStrictEqual(shop.values, { price: 7, title: "Shop" })
    assert.deepStrictEqual(
      problems.map(({ kind }) => kind),
      ["mismatch"]
    )
    await shop.refresh()
    assert.strictEqual(problems.length, 1, "an unchanged configuration is not told of again")

    const { client: offline } = client({ storage, url: "http://127.0.0.1:9" })
    const kept = offline.configuration({ name: "shop", defaults })
    await kept.ready
    assert.deepStrictEqual(kept.values, { price: 7, title: "Shop" })
    const ofDevelopment = { hash: "of development", configuration: { price: 9 } }
    await storage.write('configuration ["shop",null,null,"development"]', JSON.stringify(ofDevelopment))
    for (const [environment, price] of [
      ["development", 9],
      ["staging", 5]
    ] as const) {
      const elsewhere = client({ storage, url: "http://127.0.0.1:9", environment }).client
      const other = elsewhere.configuration({ name: "shop", defaults })
      await other.ready
      assert.strictEqual(other.values.price, price, environment)
    }
    // By this name games that are out there have stored their copy.
    assert.isNotNull(await storage.read('configuration ["shop",null,null]'))
  })

  it("evaluates for a unit, says what decided, and tells listeners of changes", async () => {
    const made = await publish("arena", { size: 1 })
    const { client: game } = client()
    const arena = game.configuration({
      name: "arena",
      defaults: { size: 0 },
      unit: { type: "user", distinctId: "ada", properties: { level: 3 } }
    })
    await arena.ready
    assert.deepStrictEqual([arena.values, arena.experiments], [{ size: 1 }, []])
    const heard: Array<object> = []
    const stop = arena.onChange((values) => heard.push(values))
    const at = `/application/${studio.applicationId}/v2/configuration/${made.body.id}`
    const changed = await fetchRequest(server.url)("PATCH", at, {
      headers: { ...studio.cookie, environment_id: String(studio.production) },
      body: { baseHash: made.body.hash, changes: [{ op: "set", path: ["size"], value: 2 }] }
    })
    assert.strictEqual(changed.status, 200, changed.text)
    await arena.refresh()
    stop()
    assert.deepStrictEqual(heard, [{ size: 2 }])
  })
})
