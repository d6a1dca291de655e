import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type LuaEngine, LuaFactory } from "wasmoon"
import { jsonDecode, jsonEncode, scripts } from "./RobloxStandIn.ts"

describe("the copies that the client for Roblox keeps", () => {
  let lua: LuaEngine

  beforeAll(async () => {
    lua = await new LuaFactory().createEngine({ enableProxy: false })
    for (const [name, value] of Object.entries({ key: "sdk_test", jsonEncode, jsonDecode })) lua.global.set(name, value)
    for (const script of scripts) await lua.doString(script)
  })
  afterAll(() => lua.global.close())

  it("have nothing of an answer that comes after its player was forgotten, and all that come together", async () => {
    const told = await lua.doString(`
      local client = started()
      local function asking(player)
        return coroutine.create(function() client:configuration("shop", { price = 1 }, player, { level = 9 }) end)
      end
      local function count(player)
        local copies = 0
        for _ in pairs(client.copies[player] or {}) do copies = copies + 1 end
        return copies
      end
      Transport.request = function(...) coroutine.yield() return 200, { hash = "h", configuration = { price = 15 } } end
      local first, second = asking("7"), asking("7")
      coroutine.resume(first)
      client:forget(7)
      coroutine.resume(first)
      local left = count("7")
      -- The player is back before the answer of an earlier question is.
      first = asking("7")
      coroutine.resume(first)
      client:forget("7")
      coroutine.resume(second)
      coroutine.resume(second)
      client.copies["7"]["shop"].hash = "newer"
      coroutine.resume(first)
      local kept = client.copies["7"]["shop"].hash
      -- Two configurations of one player at once.
      local both = {}
      for at, name in ipairs({ "shop", "arena" }) do
        both[at] = coroutine.create(function() client:configuration(name, {}, "8") end)
        coroutine.resume(both[at])
      end
      for _, each in ipairs(both) do coroutine.resume(each) end
      return jsonEncode({ left, kept, count("8") })`)
    assert.deepStrictEqual(JSON.parse(told), [0, "newer", 2])
  })
})
