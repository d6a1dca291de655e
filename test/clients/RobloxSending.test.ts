import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { type LuaEngine, LuaFactory } from "wasmoon"
import { jsonDecode, jsonEncode, scripts } from "./RobloxStandIn.ts"

describe("the requests of the client for Roblox", () => {
  let lua: LuaEngine

  beforeAll(async () => {
    lua = await new LuaFactory().createEngine({ enableProxy: false })
    const globals = {
      key: "sdk_test",
      jsonEncode,
      jsonDecode,
      guid: () => "id",
      now: () => 0,
      urlEncode: encodeURIComponent
    }
    for (const [name, value] of Object.entries(globals)) lua.global.set(name, value)
    for (const script of scripts) await lua.doString(script)
  })
  beforeEach(() =>
    lua.doString(`
      problems, delays, asked, answers = {}, {}, {}, {}
      -- Each request is answered by the next of the answers, and by the last one from then on.
      Transport.request = function(client, method, path, body)
        table.insert(asked, { path = path, body = body })
        local answer = #answers > 1 and table.remove(answers, 1) or answers[1]
        return table.unpack(answer, 1, 3)
      end
      taken = { 200, { ingestedMarkersCount = 1 } }`)
  )
  afterAll(() => lua.global.close())

  const run = async (script: string): Promise<unknown> => JSON.parse(await lua.doString(script))

  it("do not wait for what was planned after failures, once a flush has reached the server", async () => {
    const told = await run(`
      local client = started()
      answers = { { 401 }, taken }
      client:track("ada", "Early")
      client:flush()
      local late = planned
      client:flush()
      client:track("ada", "Late")
      planned()
      local count = #asked
      -- What had been planned is done, and sends nothing more.
      client:track("ada", "Later")
      late()
      return jsonEncode({ delays[1], delays[2] >= 150, delays[3], count, #asked, #client.waiting })`)
    assert.deepStrictEqual(told, [5, true, 5, 3, 3, 1])
  })

  it("are one, however many flushes the game asks for at once, and all of these end with it", async () => {
    const told = await run(`
      local client, ended = started(), 0
      local wait = task.wait
      task.wait = function() coroutine.yield() end
      Transport.request = function() table.insert(asked, 1) coroutine.yield() return 503 end
      client:track("ada", "Away")
      local flushes = {}
      for at = 1, 3 do
        flushes[at] = coroutine.create(function() client:flush() ended = ended + 1 end)
        coroutine.resume(flushes[at])
      end
      local before = ended
      for _, each in ipairs(flushes) do coroutine.resume(each) end
      task.wait = wait
      return jsonEncode({ #asked, before, ended })`)
    assert.deepStrictEqual(told, [1, 0, 3])
  })

  it.each([
    ["MALFORMED_JSON", "The body is not valid JSON"],
    ["VALIDATION_FAILED", "body: expected at most 100 levels of nesting"]
  ])(
    "are halved until the marker is alone for which they are refused as %s, and told of that one",
    async (code, message) => {
      lua.global.set("refusal", JSON.stringify({ code, message }))
      const told = await run(`
      local client, arrived = started(), {}
      Transport.request = function(client, method, path, body)
        for _, each in ipairs(body.markers) do
          if each.eventName == "Odd" then return 400, jsonDecode(refusal) end
        end
        for _, each in ipairs(body.markers) do table.insert(arrived, each.eventName) end
        return 200, { ingestedMarkersCount = 1 }
      end
      for _, name in ipairs({ "First", "Second", "Odd", "Third" }) do client:track("ada", name) end
      client:flush()
      return jsonEncode({ arrived, problems })`)
      assert.deepStrictEqual(told, [["First", "Second", "Third"], [`rejected: a marker cannot be read: ${message}`]])
    }
  )

  it("are kept where they are refused for the key, or by somebody on the way", async () => {
    const told = await run(`
      local client = started()
      answers = { { 400, { code = "VALIDATION_FAILED", message = "project-id: name one" } }, { 400, nil }, { 400, {} } }
      client:track("ada", "Kept")
      for _ = 1, 3 do client:flush() end
      return jsonEncode({ #client.waiting, problems })`)
    assert.deepStrictEqual(told, [1, ["refused: project-id: name one", "refused: status 400", "refused: status 400"]])
  })

  it("are repeated while the game closes, for a server that was away for a moment", async () => {
    const told = await run(`
      local client = started()
      answers = { { nil, "ConnectFail" }, { 503, nil, { ["Retry-After"] = "7" } }, taken }
      client:track("ada", "Last")
      client:close()
      return jsonEncode({ #asked, #client.waiting, #problems, client:track("ada", "Late") })`)
    assert.deepStrictEqual(told, [3, 0, 2, false])
  })

  it("end with the closing game, which is told what is lost", async () => {
    const told = await run(`
      local client = started({ closeSeconds = 20 })
      answers = { { nil, "ConnectFail" } }
      client:track("ada", "Lost")
      local from = clock
      client:close()
      client:close()
      return jsonEncode({ clock - from < 20, #asked > 4, problems[#problems], #client.waiting })`)
    assert.deepStrictEqual(told, [true, true, "lost: not sent, and kept nowhere: 1 of the markers", 1])
  })

  it("have no marker that comes after the end, which is told", async () => {
    const told = await run(`
      local client = started()
      client:close()
      return jsonEncode({ client:track("ada", "Late"), problems, #client.waiting })`)
    assert.deepStrictEqual(told, [false, ["rejected: Late came after the client was closed"], 0])
  })

  it("bring nothing back of what everybody got, once that is forgotten", async () => {
    const told = await run(`
      local client = started()
      answers = { { 200, { hash = "h", configuration = { price = 5 } } }, { 503 } }
      local before = client:configuration("shop", { price = 1 }).price
      client:forget(nil)
      return jsonEncode({ before, client:configuration("shop", { price = 1 }).price })`)
    assert.deepStrictEqual(told, [5, 1])
  })

  const date = "Sun, 06 Nov 1994 08:48:59 GMT"
  it.each([
    { asks: "of seconds", headers: { "Retry-After": "7" }, seconds: 7 },
    { asks: "of a date", headers: { "retry-after": "Sun, 06 Nov 1994 08:52:19 GMT", date }, seconds: 200 },
    {
      asks: "of a date on another day",
      headers: { "retry-after": "Mon, 07 Nov 1994 00:00:00 GMT", date },
      seconds: 54_661
    },
    {
      asks: "of a date that has passed",
      headers: { "retry-after": "Sun, 06 Nov 1994 08:48:00 GMT", date },
      seconds: 0
    },
    { asks: "of a date without another", headers: { "retry-after": date }, seconds: 0 },
    { asks: "of no month", headers: { "retry-after": "Sun, 06 Non 1994 08:52:19 GMT", date }, seconds: 0 },
    { asks: "of less than nothing", headers: { "retry-after": "-7" }, seconds: 0 },
    { asks: "of words", headers: { "retry-after": "soon" }, seconds: 0 },
    { asks: "of nothing", headers: {}, seconds: 0 }
  ])("wait for as long as Retry-After $asks asks", async ({ headers, seconds }) => {
    lua.global.set("headers", JSON.stringify(headers))
    assert.strictEqual(await run(`return jsonEncode(Transport.retryAfterIn(jsonDecode(headers)))`), seconds)
  })

  it("leave what is known as it was told, whatever the game does with its values", async () => {
    const told = await run(`
      local client = started()
      local configuration = { items = { "sword" }, deep = { gems = { 3 } } }
      answers = { { 200, { hash = "h", configuration = configuration, experiments = { { groupId = 1 } } } }, { 304 } }
      local shop, experiments = client:configuration("shop", { price = 1 }, "ada")
      table.remove(shop.items)
      shop.deep.gems[1] = 0
      experiments[1].groupId = 0
      return jsonEncode({ client:configuration("shop", { price = 1 }, "ada") })`)
    assert.deepStrictEqual(told, [{ price: 1, items: ["sword"], deep: { gems: [3] } }, [{ groupId: 1 }]])
  })

  it("tell which values are of another type than their defaults, when they come", async () => {
    const told = await run(`
      local client = started()
      local configuration = { price = "dear", deep = { gems = { 3 }, coins = 2 }, items = { a = 1 }, tags = {} }
      answers = { { 200, { hash = "h", configuration = configuration } }, { 304 }, { 503 } }
      local defaults = { price = 1, deep = { gems = "none", coins = 1 }, items = { "bow" }, tags = { "new" } }
      local first = client:configuration("shop", defaults)
      local count = #problems
      table.sort(problems)
      for _ = 1, 2 do client:configuration("shop", defaults) end
      return jsonEncode({ first, problems, count })`)
    const kept = { price: 1, deep: { gems: "none", coins: 2 }, items: ["bow"], tags: {} }
    const problems = ["deep.gems", "items", "price"].map(
      (path) => `mismatch: ${path} has another type than its default, which is used`
    )
    assert.deepStrictEqual(told, [kept, [...problems, "unreachable: status 503"], 3])
  })

  it("have no marker of which Roblox would lose a value", async () => {
    const told = await run(`
      local client = started()
      local taken = { client:track("ada", "Died", { place = print }), client:track("ada", "Died", { list = { print } }) }
      return jsonEncode({ taken, #client.waiting, problems })`)
    const problems = Array(2).fill("rejected: Died: a value of type function has no JSON")
    assert.deepStrictEqual(told, [[false, false], 0, problems])
  })

  it("are answered by the later question, where the answer to an earlier one comes after it", async () => {
    const told = await run(`
      local client, prices = started(), {}
      Transport.request = function(_, _, _, body)
        coroutine.yield()
        return 200, { hash = "h", configuration = { price = body.context.properties.level } }
      end
      local asking = {}
      for level = 1, 2 do
        asking[level] = coroutine.create(function()
          prices[level] = client:configuration("shop", {}, "ada", { level = level }).price
        end)
        coroutine.resume(asking[level])
      end
      coroutine.resume(asking[2])
      coroutine.resume(asking[1])
      return jsonEncode({ prices, client.copies.ada.shop.configuration.price })`)
    assert.deepStrictEqual(told, [[2, 2], 2])
  })

  it("ask for the primary configuration where none is named, and mean production where no environment is", async () => {
    const told = await run(`
      local client = started({ environment = "" })
      answers = { { 200, { hash = "h", configuration = { price = 5 } } } }
      local all, own = client:configuration(nil, { price = 1 }), client:configuration(nil, { price = 1 }, "ada")
      return jsonEncode({ all.price, own.price, asked[1].path, asked[2].body.configuration == nil, client.environment })`)
    assert.deepStrictEqual(told, [5, 5, "/sdk/v2/configurations?", true, "production"])
  })
})
