import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { hourly } from "../../../src/domain/operations/alerts/ServerWatch.ts"
import { root } from "../../support/Server.ts"
import { gameOf } from "../../support/game/Game.ts"
import { listening } from "../../support/game/Listening.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { type Answer, envelopeKeys } from "../../support/TestApp.ts"

const token = "a-token-for-the-tests-of-metrics"
const shown = { authorization: `Bearer ${token}` }
const server = await listening(stores[0][1], { metricsToken: Redacted.make(token) })
const read = async () => (await server.request("GET", "/metrics", { headers: shown })).text

/** The value of one line of the exposition; 0 where there is none. */
const valueIn = (text: string, series: string): number => {
  const line = text.split("\n").find((each) => each.startsWith(`${series} `))
  return line === undefined ? 0 : Number(line.slice(series.length + 1))
}

/** Requests are counted when their connection is done with them, which may be after the caller has the answer. */
const until = async (isThere: (text: string) => boolean): Promise<string> => {
  for (let tries = 0; tries < 3000; tries++) {
    const text = await read()
    if (isThere(text)) return text
  }
  return await read()
}

const typed = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name).toSorted()

const documentIn = (path: string): string => readFileSync(join(root, "docs", path), "utf8")

describe("/metrics", () => {
  const refusals: ReadonlyArray<readonly [string, number, string, () => Promise<Answer>]> = [
    ["without a token", 401, "UNAUTHENTICATED", () => server.request("GET", "/metrics")],
    ["with another token", 401, "UNAUTHENTICATED", () => asked("GET", `Bearer ${token}x`)],
    ["with the beginning of the token", 401, "UNAUTHENTICATED", () => asked("GET", `Bearer ${token.slice(0, -1)}`)],
    ["with an empty token", 401, "UNAUTHENTICATED", () => asked("GET", "Bearer ")],
    ["with the token in another scheme", 401, "UNAUTHENTICATED", () => asked("GET", `Basic ${token}`)],
    ["for writing", 405, "METHOD_NOT_ALLOWED", () => asked("POST", `Bearer ${token}`)]
  ]
  const asked = (method: string, authorization: string) =>
    server.request(method, "/metrics", { headers: { authorization } })

  it.each(refusals)("is refused %s", async (_case, status, code, ask) => {
    const answer = await ask()
    assert.deepStrictEqual([answer.status, answer.body.code], [status, code])
    assert.deepStrictEqual(Object.keys(answer.body).sort(), envelopeKeys)
    assert.isFalse(answer.text.includes(token))
  })

  it("answers HEAD with the same fields and no body, and says so where another method comes", async () => {
    const [shownFields, headed] = [await asked("GET", `Bearer ${token}`), await asked("HEAD", `Bearer ${token}`)]
    assert.deepStrictEqual([headed.status, headed.text], [200, ""])
    assert.strictEqual(headed.headers.get("content-type"), shownFields.headers.get("content-type"))
    assert.strictEqual((await asked("POST", `Bearer ${token}`)).headers.get("allow"), "GET, HEAD")
  })

  it("is not there without --metrics-token, not even for an empty token", async () => {
    const other = await listening(stores[0][1])
    for (const authorization of ["Bearer ", `Bearer ${token}`]) {
      const answer = await other.request("GET", "/metrics", { headers: { authorization } })
      assert.deepStrictEqual([answer.status, answer.body.code], [404, "ROUTE_NOT_FOUND"])
    }
  })

  it("has 0 for what has not happened, so that rates and increases of it are known", async () => {
    const round = (result: string) => `gamekeeper_job_rounds_total{task="The rest of erasures",result="${result}"}`
    const text = await until((each) => each.includes(`${round("done")} `))
    const markers = ["stored", "duplicate", "rejected", "stale"].map(
      (result) => `gamekeeper_markers_total{result="${result}"}`
    )
    for (const series of [...markers, round("failed")]) assert.include(text.split("\n"), `${series} 0`)
  })

  it("counts requests by operation and status, and gives no names that callers make up", async () => {
    const count = (text: string, operation: string, status: number) =>
      valueIn(text, `gamekeeper_http_requests_total{operation="${operation}",status="${status}"}`)
    await server.request("GET", "/ready?x=1")
    await server.request("GET", "/organization/1/api-keys")
    await server.request("GET", "/organization/2/api-keys/")
    await server.request("GET", "/made-up-by-a-caller")
    await server.request("POST", "/made-up-by-a-caller")
    const text = await until((each) => count(each, "unknown", 404) > 0 && count(each, "page", 404) > 0)
    assert.strictEqual(count(text, "apiKeys.list", 401), 2, text)
    assert.strictEqual(valueIn(text, 'gamekeeper_http_request_duration_seconds_count{operation="apiKeys.list"}'), 2)
    assert.isAtLeast(valueIn(text, "gamekeeper_http_requests_in_flight"), 1)
    assert.isFalse(text.includes("made-up") || text.includes(token))
  })

  it("counts markers by what became of them, on both paths", async () => {
    const studio = await openStudio(server.request, "ada")
    const { publicKey } = await gameOf(server.request, studio)
    const before = await read()
    const id = "6e0b5c36-2f5c-4d7e-9f3a-1f1f0f9f0a01"
    const marker = { type: "Login", userId: 1, timestamp: Date.now() }
    for (let batch = 0; batch < 3; batch++) {
      const markers = [{ ...marker, markerId: id }, marker, { type: "" }]
      await server.request("POST", "/sdk/v1/markers", { headers: { authorization: publicKey }, body: { markers } })
    }
    const after = await read()
    const added = (result: string) =>
      valueIn(after, `gamekeeper_markers_total{result="${result}"}`) -
      valueIn(before, `gamekeeper_markers_total{result="${result}"}`)
    assert.deepStrictEqual(["stored", "duplicate", "rejected", "stale"].map(added), [4, 2, 3, 0])
  })

  it("has the version, the jobs and the state of the stores", async () => {
    const text = await until((each) => each.includes("gamekeeper_job_rounds_total{"))
    assert.match(text, /^gamekeeper_info\{version="\d+\.\d+\.\d+"\} 1$/m)
    assert.match(text, /^gamekeeper_job_duration_seconds_count\{task="The rest of erasures"\} \d+$/m)
    assert.strictEqual(valueIn(text, 'gamekeeper_store_problems{severity="unavailable"}'), 0)
    assert.strictEqual(valueIn(text, "gamekeeper_ingest_overloaded"), 0)
  })

  it("is described in the documents, metric by metric", async () => {
    const told = [...documentIn("observability.md").matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name)
    const names = typed(await read())
    assert.deepStrictEqual(
      names.filter((name) => !told.includes(name)),
      []
    )
    // What the operating system tells of a process differs between systems; what the server tells does not.
    const own = (each: ReadonlyArray<string>) => each.filter((name) => !name.startsWith("process_")).toSorted()
    assert.deepStrictEqual(own(told), own(names))
  })

  it("has an alert of the rules for jobs by schedule, which are tried once an hour", () => {
    const rule = documentIn("prometheus-rules.yml").match(/result="failed",task=~"([^"]+)"\}\[3h\]/)
    assert.deepStrictEqual(new Set(rule?.[1]?.split("|")), hourly)
  })

  const readers = ["grafana-dashboard.json", "prometheus-rules.yml"]
  it.each(readers)("has every metric that %s asks for", async (file) => {
    const names = new Set(typed(await read()))
    const isKnown = (name: string) => names.has(name) || names.has(name.replace(/_(?:bucket|sum|count)$/, ""))
    const asked = documentIn(file).match(/\b(?:gamekeeper|nodejs|process)_[a-z_]+\b/g) ?? []
    assert.isNotEmpty(asked)
    assert.deepStrictEqual(
      asked.filter((name) => !isKnown(name)),
      []
    )
  })
})
