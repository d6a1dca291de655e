import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Server.ts"

/** What the client needs of Roblox. Luau reads it as Lua 5.4 does: the client keeps to what both have. */
const roblox = `
  local HttpService = {}
  function HttpService:JSONEncode(value) return jsonEncode(value) end
  function HttpService:JSONDecode(text) return jsonDecode(text) end
  function HttpService:UrlEncode(text) return urlEncode(text) end
  function HttpService:GenerateGUID() return guid() end
  function HttpService:RequestAsync(request)
    local response = http(jsonEncode(request)):await()
    if response == nil then error("HttpError: ConnectFail") end
    return jsonDecode(response)
  end
  game = { GetService = function(_, name) return ({ HttpService = HttpService })[name] end }
  task = { delay = function(seconds, work) table.insert(delays, seconds) planned = work end, spawn = function(work, ...) work(...) end }
  typeof = function(value) return type(value) == "userdata" and "Vector3" or type(value) end
  delays = {}
  -- Time passes for who waits, and for nobody else.
  clock = 0
  os.clock = function() return clock end
  task.wait = function(seconds) clock = clock + (seconds or 0.03) end
  DateTime = { now = function() return { UnixTimestampMillis = now() } end }
  problems = {}
  function started(more)
    local options = { url = "http://test/", key = key, environment = "production" }
    options.onProblem = function(kind, message) table.insert(problems, kind .. ": " .. message) end
    for name, value in pairs(more or {}) do options[name] = value end
    return Gamekeeper.new(options)
  end
`

const module = (file: string) => readFileSync(join(root, "docs/clients/Gamekeeper", file), "utf8")

/** What makes Roblox and the client in it, to be run one after the other. */
export const scripts = [
  roblox,
  `Transport = (function()\n${module("Transport.luau")}\nend)()`,
  `Values = (function()\n${module("Values.luau")}\nend)()\nscript = { Transport = Transport, Values = Values }`,
  `require = function(loaded) return loaded end`,
  `Gamekeeper = (function()\n${module("init.luau")}\nend)()`
]

const infinite = "number that is not finite"

/** Roblox writes a number that is not finite as a word that is no JSON. */
export const jsonEncode = (value: unknown): string => {
  const finite = (_: string, each: unknown) => (typeof each === "number" && !Number.isFinite(each) ? infinite : each)
  const text = JSON.stringify(value, finite)
  if (text.includes("unencodable")) throw new Error("Can't convert to JSON")
  return text.replaceAll(JSON.stringify(infinite), "nan")
}

export const jsonDecode = (text: string): unknown => JSON.parse(text.replaceAll(":nan", ":null"))

/** A request as HttpService takes it. */
export interface Asked {
  readonly Method: string
  readonly Url: string
  readonly Headers: Record<string, string>
  readonly Body?: string
}
