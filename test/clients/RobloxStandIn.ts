/** What the client needs of Roblox. Luau reads it as Lua 5.4 does: the client keeps to what both have. */
export const roblox = `
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
  delays = {}
  DateTime = { now = function() return { UnixTimestampMillis = now() } end }
  problems = {}
  function started(more)
    local options = { url = "http://test/", key = key, environment = "production" }
    options.onProblem = function(kind, message) table.insert(problems, kind .. ": " .. message) end
    for name, value in pairs(more or {}) do options[name] = value end
    return Gamekeeper.new(options)
  end
`

/** A request as HttpService takes it. */
export interface Asked {
  readonly Method: string
  readonly Url: string
  readonly Headers: Record<string, string>
  readonly Body?: string
}
