import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll } from "vitest"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { mintKey } from "../../support/access/Studio.ts"
import { until } from "../../support/analytics/Analyst.ts"
import { listening } from "../../support/game/Listening.ts"
import { openCollector } from "../../support/operations/Collector.ts"
import { insightOf, metricsToken, observed, otlpTo, saidByMistake } from "../../support/operations/ObservedServer.ts"

const { collector, server, studio, game, spanOf } = await observed()

const hooks = createServer((_request, response) => response.writeHead(204).end())
await new Promise<void>((listens) => hooks.listen(0, "127.0.0.1", listens))
afterAll(() => void hooks.close())
const hook = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/a-secret-path`

describe("what runs by itself", () => {
  it("has a span for a round that did something, and what it sent to a webhook below it", async () => {
    const home = `/organization/${studio.organizationId}/webhooks`
    const made = await server.request("POST", home, { headers: studio.cookie, body: { name: "Chat", url: hook } })
    assert.strictEqual(made.status, 201, made.text)
    await mintKey(server.request, studio, { type: "public" })
    const sent = () => collector.spans.find(({ name }) => name === "webhook.send")
    const round = () => collector.spans.find((each) => each.spanId === sent()?.parentSpanId)
    await until(() => round() !== undefined)
    assert.deepStrictEqual([round()?.name, round()?.kind, sent()?.kind], ["Webhooks", 1, 3])
    assert.deepStrictEqual(sent()?.attributes, { "server.address": "127.0.0.1", "http.response.status_code": 204 })
  })
})

/** The names of all metrics on the page, and of those that have a value now: a gauge by kind has none while there is nothing of any kind. */
const shownMetrics = async () => {
  const page = await server.request("GET", "/metrics", { headers: { authorization: `Bearer ${metricsToken}` } })
  const named = [...page.text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name)
  return { named, valued: named.filter((name) => new RegExp(`^${name}(_bucket)?(\\{| )`, "m").test(page.text)) }
}

describe("the metrics of the collector", () => {
  it("are those of /metrics, and no others", async () => {
    await until(() => collector.metrics.some(({ name }) => name === "gamekeeper_job_duration_seconds"))
    const told = () => new Set(collector.metrics.map(({ name }) => name))
    const { valued, named } = await shownMetrics()
    // A metric may get its first value between the last export and the page; the next export tells it.
    await until(() => valued.every((name) => told().has(name)))
    assert.deepStrictEqual(
      [...told()].filter((name) => !named.includes(name)),
      []
    )
  })

  it("have values, units and buckets", async () => {
    const metric = (name: string) => collector.metrics.findLast((each) => each.name === name)
    const markers = () => metric("gamekeeper_markers_total")?.sum?.dataPoints[0]?.asDouble
    await game.send([{ type: "Login", userId: 1, timestamp: Date.now() }])
    await until(() => markers() === 1)
    const durations = metric("gamekeeper_http_request_duration_seconds")
    const [point] = durations?.histogram?.dataPoints ?? []
    assert.strictEqual(durations?.unit, "s")
    assert.strictEqual(point?.bucketCounts?.length, (point?.explicitBounds?.length ?? 0) + 1)
    const counted = point?.bucketCounts?.reduce((all, each) => all + Number(each), 0)
    assert.strictEqual(counted, Number(point?.count))
    assert.isAbove(Number(point?.count), 0)
    assert.strictEqual(metric("process_resident_memory_bytes")?.unit, "By")
  })
})

describe("what the collector is told", () => {
  it("has its headers, and no secret, body, query or player in it", async () => {
    await game.send([{ type: "Login", userId: 98765432198, timestamp: Date.now() }])
    await game.query("insights/execute", insightOf("Mistake"))
    await server.request("GET", `/organization/${studio.organizationId}/audit-log?kind=apiKeys`, {
      headers: studio.cookie
    })
    await spanOf(await server.request("POST", "/made-up-by-player-98765432198"))
    assert.isNotEmpty(collector.asked)
    const text = collector.asked.map(({ body }) => body).join("\n")
    const session = studio.cookie.cookie.split("=")[1] ?? ""
    const secrets = [game.publicKey, game.secretKey, session, "correct horse", "@studio.test", metricsToken]
    const others = [
      saidByMistake,
      "of the collector",
      "of%20the",
      "98765432198",
      "a-secret-path",
      "kind=apiKeys",
      "made-up-by",
      "a-mistake"
    ]
    for (const each of [...secrets, ...others]) assert.notInclude(text, each)
    assert.isTrue(collector.asked.every(({ headers }) => headers["api-key"] === "of the collector"))
  })
})

describe("a collector that never answers", () => {
  it("keeps no request and no end of the server waiting", async () => {
    const silent = await openCollector("silent")
    const other = await listening(SqliteStores, { otlp: otlpTo(silent.url) })
    const answers = await Promise.all(Array.from({ length: 600 }, () => other.request("GET", "/ready")))
    assert.isTrue(answers.every(({ status }) => status === 200))
    await until(() => silent.asked.some(({ path }) => path === "/v1/traces"))
    await other.close()
    await silent.close()
  })
})
