import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type LuaEngine, LuaFactory } from "wasmoon"
import { MemoryStores } from "../../src/app/Layers.ts"
import { mintKey, openStudio, type Studio } from "../support/access/Studio.ts"
import { testApp } from "../support/TestApp.ts"
import { dearShop } from "./Shop.ts"
import { type Asked, jsonDecode, jsonEncode, scripts } from "./RobloxStandIn.ts"

const app = testApp(MemoryStores)

describe("the client for Roblox", () => {
  let lua: LuaEngine
  let studio: Studio
  let state: "up" | "down" | "foreign" | number = "up"
  const asked: Array<Asked> = []

  /** The request as Roblox would send it, and its answer; none where nothing is reached. */
  const http = async (text: string): Promise<string | undefined> => {
    const request: Asked = JSON.parse(text)
    asked.push(request)
    if (state === "down") return undefined
    if (state === "foreign") return JSON.stringify({ StatusCode: 200, Headers: {}, Body: '{"status":"ok"}' })
    if (typeof state === "number")
      return JSON.stringify({ StatusCode: state, Headers: { "Retry-After": "7" }, Body: "" })
    const { Body: raw, Method: method, Url: url, Headers: headers } = request
    const call = raw === undefined ? { headers } : { headers, raw }
    const answer = await app.request(method, url.replace("http://test", ""), call)
    return JSON.stringify({
      StatusCode: answer.status,
      Headers: Object.fromEntries(answer.headers),
      Body: answer.text
    })
  }

  /** Runs a script that ends with a value, which is answered. */
  const run = async (script: string): Promise<unknown> => {
    const text: unknown = await lua.doString(`problems = {} delays = {}\n${script}`)
    return typeof text === "string" ? JSON.parse(text) : text
  }

  beforeAll(async () => {
    studio = await openStudio(app.request, "roblox")
    const headers = { ...studio.cookie, environment_id: String(studio.production) }
    const made = await app.request("POST", `/application/${studio.applicationId}/v2/configuration`, {
      headers,
      body: { name: "shop", configuration: { price: 5, isOpen: false, items: ["sword"], deep: { gems: 3 } } }
    })
    await app.request("POST", `/application/${studio.applicationId}/v2/experiments`, {
      headers,
      body: dearShop(made.body.id)
    })
    lua = await new LuaFactory().createEngine({ enableProxy: false })
    const globals: Record<string, unknown> = {
      key: await mintKey(app.request, studio, { type: "public" }),
      http,
      jsonEncode,
      jsonDecode,
      urlEncode: encodeURIComponent,
      guid: () => randomUUID().toUpperCase(),
      now: () => Date.now()
    }
    for (const [name, value] of Object.entries(globals)) lua.global.set(name, value)
    for (const script of scripts) await lua.doString(script)
  })
  afterAll(() => lua.global.close())

  it("sends markers of players, each once", async () => {
    asked.length = 0
    const left = await run(`
      local client = started()
      client:track({ UserId = 48213377 }, "Bought", { item = "sword", price = 5 })
      client:track(91022845, "Bought", {})
      client:flush()
      return jsonEncode({ #client.waiting, #problems })`)
    assert.deepStrictEqual(left, [0, 0])
    const chart = await app.request(
      "POST",
      `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`,
      {
        headers: { ...studio.cookie, environment_id: String(studio.production) },
        body: {
          time: { step: "day", relative: { step: "day", value: 2 } },
          metrics: [{ id: "A", data: { name: "Bought", type: "uniqueUsers" } }]
        }
      }
    )
    assert.strictEqual(chart.body.series[0].aggregate, 2)
    assert.strictEqual(asked.length, 1)
  })

  it("tells which marker was refused, and keeps none of it", async () => {
    const told = await run(`
      local client = started()
      client:track("ada", "", nil)
      client:flush()
      return jsonEncode({ #client.waiting, problems })`)
    assert.match(JSON.stringify(told), /^\[0,\["rejected: /)
  })

  it("keeps markers where somebody else answers in the place of the server", async () => {
    state = "foreign"
    const told = await run(`
      local client = started()
      client:track("ada", "Foreign")
      client:flush()
      return jsonEncode({ #client.waiting, #problems })`)
    state = "up"
    assert.deepStrictEqual(told, [1, 1])
  })

  it("sends what a marker was when it was tracked, whatever becomes of the tables of the game", async () => {
    asked.length = 0
    await run(`
      local client = started()
      local properties = { items = { "sword" } }
      client:track("ada", "Loot", properties)
      table.insert(properties.items, "shield")
      properties.more = 1
      client:flush()
      return 1`)
    assert.deepStrictEqual(JSON.parse(asked[0]?.Body ?? "").markers[0].properties, { items: ["sword"] })
  })

  it("tells which marker is older than the server keeps", async () => {
    const told = await run(`
      local client = started()
      client:track("ada", "Old")
      client.waiting[1].marker.timestamp = 1000
      client:flush()
      return jsonEncode({ #client.waiting, problems })`)
    assert.match(JSON.stringify(told), /^\[0,\["rejected: marker .* older/)
  })

  it("keeps markers while the server is out of reach, waits longer each time, and takes no more than may wait", async () => {
    state = "down"
    const told = await run(`
      local client = started({ mostWaiting = 1 })
      local taken = { client:track("ada", "Left"), client:track("ada", "Left") }
      for n = 1, 3 do client.isPlanned = false client:flush() end
      return jsonEncode({ taken, #client.waiting, delays, problems })`)
    state = "up"
    const [taken, waiting, delays, problems] = told as [Array<boolean>, number, Array<number>, Array<string>]
    assert.deepStrictEqual([taken, waiting], [[true, false], 1])
    assert.strictEqual(delays[0], 5)
    for (const [at, most] of [1, 2, 4].entries()) assert.isTrue(delays[at + 1]! >= most / 2 && delays[at + 1]! <= most)
    assert.deepStrictEqual(
      problems.map((each) => each.split(":")[0]),
      ["full", ...Array(3).fill("unreachable")]
    )
  })

  it("waits for as long as the server asks for", async () => {
    state = 429
    const told = await run(`
      local client = started()
      client:track("ada", "Limited")
      client.isPlanned = false
      client:flush()
      return jsonEncode({ #client.waiting, delays })`)
    state = "up"
    assert.deepStrictEqual(told, [1, [5, 7]])
  })

  it("waits out a failure, whatever is tracked meanwhile", async () => {
    state = "down"
    asked.length = 0
    const told = await run(`
      local client = started()
      client:track("ada", "Early")
      client.isPlanned = false
      client:flush()
      client.restUntil = os.clock() + 60
      planned()
      return jsonEncode({ #delays, math.floor(delays[3] + 0.5) })`)
    state = "up"
    assert.deepStrictEqual([told, asked.length], [[3, 60], 1])
  })

  it("does not take what cannot be sent", async () => {
    const told = await run(`
      local client = started()
      local taken = client:track("ada", "Odd", { value = "unencodable" })
      local shop = client:configuration("shop", { price = 1 }, "ada", { value = "unencodable" })
      client:close()
      return jsonEncode({ taken, client:track("ada", "Late"), shop.price, #client.waiting, #problems })`)
    assert.deepStrictEqual(told, [false, false, 1, 0, 3])
  })

  it("does not take a number that is not finite, which would keep the server from reading the markers beside it", async () => {
    const told = await run(`
      local client = started()
      local taken = { client:track("ada", "Odd", { share = 0 / 0 }), client:track("ada", "Odd", { shares = { 1, -math.huge } }) }
      client:track("ada", "Fine")
      client:flush()
      return jsonEncode({ taken, #client.waiting, #problems })`)
    assert.deepStrictEqual(told, [[false, false], 0, 2])
  })

  it("halves a batch that is too large for somebody on the way, and gives a single marker up", async () => {
    state = 413
    asked.length = 0
    const told = await run(`
      local client = started()
      for n = 1, 2 do client:track("ada", "Large") end
      client:flush()
      return jsonEncode({ #client.waiting, #problems })`)
    state = "up"
    assert.deepStrictEqual(told, [0, 2])
    assert.strictEqual(asked.length, 3)
  })

  it("lays the configuration over the defaults, and asks with the hash that is known", async () => {
    asked.length = 0
    const told = await run(`
      local client = started()
      local defaults = { price = 1, isOpen = true, items = { "bow" }, deep = { gems = "none", coins = 2 }, title = "Shop" }
      client:configuration("shop", defaults)
      return jsonEncode({ client:configuration("shop", defaults) })`)
    const bare = `return jsonEncode((started():configuration("shop", { items = { a = 1 }, deep = { "list" } })))`
    const other = await run(bare)
    assert.deepStrictEqual(other, { price: 5, isOpen: false, items: { a: 1 }, deep: ["list"] })
    const values = { price: 5, isOpen: false, items: ["sword"], deep: { gems: "none", coins: 2 }, title: "Shop" }
    assert.deepStrictEqual((told as ReadonlyArray<unknown>)[0], values)
    assert.match(asked[1]!.Url, /&hash=/)
  })

  it("has experiments decide for a player, and keeps the last copy without the server", async () => {
    const told = await run(`
      local client = started()
      local shop, experiments = client:configuration("shop", { price = 1 }, 7, { level = 9 })
      local other = client:configuration("shop", { price = 1 }, 8, { level = 2 })
      return jsonEncode({ shop.price, #experiments, other.price })`)
    assert.deepStrictEqual(told, [15, 1, 5])
    await run(`kept = started() kept:configuration("shop", { price = 1 }, 7, { level = 9 })`)
    state = "down"
    const offline = await run(`
      local shop = kept:configuration("shop", { price = 1 }, 7)
      local stranger = kept:configuration("shop", { price = 1 }, 9)
      kept:forget(7)
      local forgotten = kept:configuration("shop", { price = 1 }, 7)
      return jsonEncode({ shop.price, stranger.price, forgotten.price, #problems })`)
    state = "up"
    assert.deepStrictEqual(offline, [15, 1, 1, 3])
  })
})
