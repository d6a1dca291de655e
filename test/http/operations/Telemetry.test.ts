import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll } from "vitest"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { noOtlp } from "../../../src/app/Telemetry.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { listening } from "../../support/game/Listening.ts"
import { mintKey, openStudio, type Studio } from "../../support/access/Studio.ts"
import { until } from "../../support/analytics/Analyst.ts"
import { type CollectedSpan, openCollector } from "../../support/operations/Collector.ts"
import type { Answer } from "../../support/TestApp.ts"

const collector = await openCollector()
afterAll(collector.close)

/** A store that finds no answer to questions about one marker type, by a mistake of its own. */
const mistaken = Layer.effect(
  EventStore,
  Effect.map(EventStore, (store): typeof EventStore.Service => ({
    ...store,
    ask: (environmentId, question, watch) =>
      JSON.stringify(question).includes("Mistake")
        ? Effect.die(new Error("a-mistake-with-player-98765432198"))
        : store.ask(environmentId, question, watch)
  }))
).pipe(Layer.provideMerge(SqliteStores))

const metricsToken = "a-token-for-the-tests-of-traces"
const otlp = {
  ...noOtlp,
  endpoint: collector.url,
  headers: Redacted.make("api-key=of%20the%20collector"),
  service: "emberkeep",
  metricSeconds: 1
}
const server = await listening(mistaken, {
  otlp,
  metricsToken: Redacted.make(metricsToken),
  privateWebhooks: true,
  signUp: "open"
})

const hooks = createServer((_request, response) => response.writeHead(204).end())
await new Promise<void>((listens) => hooks.listen(0, "127.0.0.1", listens))
afterAll(() => void hooks.close())
const hook = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/a-secret-path`

let studio: Studio
let game: Game
beforeAll(async () => {
  studio = await openStudio(server.request, "ada")
  game = await gameOf(server.request, studio)
})

const rootOf = (requestId: string): CollectedSpan | undefined =>
  collector.spans.find(({ attributes }) => attributes["gamekeeper.request.id"] === requestId)

/** The span of a request that was answered, once it has arrived. */
const spanOf = async (answer: Answer): Promise<CollectedSpan> => {
  const id = answer.headers.get("x-request-id") ?? ""
  await until(() => rootOf(id) !== undefined)
  return rootOf(id)!
}

const below = ({ spanId }: CollectedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId)

const insight = (name: string) => ({
  time: { step: "month", timezone: "UTC", relative: { step: "year", value: 2 } },
  metrics: [{ id: "A", data: { name, type: "totalEvents" } }]
})

const marker = () => ({ type: "Login", userId: 98765432198, timestamp: Date.now() })

interface Row {
  readonly name: string
  readonly ask: () => Promise<Answer>
  readonly method: "GET" | "POST"
  readonly status: number
  readonly operation: string
  readonly route?: string
  readonly organization?: true
  readonly code?: number
  readonly children: ReadonlyArray<string>
}

describe("the span of a request", () => {
  const keys = () => `/organization/${studio.organizationId}/audit?kind=apiKeys`
  const rows: ReadonlyArray<Row> = [
    {
      name: "that a person makes",
      ask: () => server.request("GET", keys(), { headers: studio.cookie }),
      method: "GET",
      status: 200,
      operation: "audit.list",
      route: "/organization/:organizationId/audit",
      organization: true,
      children: ["sql.execute"]
    },
    {
      name: "that is refused",
      ask: () => server.request("GET", keys()),
      method: "GET",
      status: 401,
      operation: "audit.list",
      route: "/organization/:organizationId/audit",
      children: []
    },
    {
      name: "for what is not there",
      ask: () => server.request("POST", "/made-up-by-player-98765432198"),
      method: "POST",
      status: 404,
      operation: "unknown",
      children: []
    },
    {
      name: "that asks a question",
      ask: () => game.query("insights/execute", insight("Login")),
      method: "POST",
      status: 200,
      operation: "queries.insights",
      route: "/application/:applicationId/analytics/v1/queries/insights/execute",
      organization: true,
      children: ["question", "sql.execute"]
    },
    {
      name: "that fails",
      ask: () => game.query("insights/execute", insight("Mistake")),
      method: "POST",
      status: 500,
      operation: "queries.insights",
      route: "/application/:applicationId/analytics/v1/queries/insights/execute",
      organization: true,
      code: 2,
      children: ["question", "sql.execute"]
    },
    {
      name: "for the first markers of a key",
      ask: () => game.send([marker()]),
      method: "POST",
      status: 200,
      operation: "ingest.markers",
      route: "/sdk/v1/markers",
      organization: true,
      children: ["markers.append", "sql.execute"]
    },
    {
      name: "for further markers, which take the fast path",
      ask: () => game.send([marker()]),
      method: "POST",
      status: 200,
      operation: "ingest.markers",
      route: "/sdk/v1/markers",
      organization: true,
      children: []
    }
  ]

  it.each(rows)("$name", async ({ ask, method, status, operation, route, organization, code, children }) => {
    const answer = await ask()
    const span = await spanOf(answer)
    assert.deepStrictEqual(
      [answer.status, span.name, span.kind, span.service, span.status.code],
      [status, operation, 2, "emberkeep", code]
    )
    assert.deepStrictEqual(span.attributes, {
      "http.request.method": method,
      ...(route === undefined ? {} : { "http.route": route }),
      "gamekeeper.request.id": answer.headers.get("x-request-id") ?? "",
      ...(organization === undefined ? {} : { "gamekeeper.organization.id": studio.organizationId }),
      "http.response.status_code": status,
      ...(code === undefined ? {} : { "error.type": String(status) })
    })
    assert.isTrue(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano))
    assert.deepStrictEqual([...new Set(below(span).map((each) => each.name))].toSorted(), children)
  })

  it("has the question below it, with its kind and the rows that were read", async () => {
    const questionOf = async (name: string) => {
      const span = await spanOf(await game.query("insights/execute", insight(name)))
      return below(span).find((each) => each.name === "question")
    }
    const environment = { "gamekeeper.environment.id": studio.development, "gamekeeper.question.kind": "insight" }
    const [answered, failed] = [await questionOf("Unknown"), await questionOf("Mistake")]
    const { "gamekeeper.question.milliseconds": milliseconds, ...told } = answered?.attributes ?? {}
    assert.deepStrictEqual(told, { ...environment, "gamekeeper.question.rows_scanned": 0 })
    assert.isNumber(milliseconds)
    assert.deepStrictEqual(failed?.attributes, { ...environment, "error.type": "defect" })
    assert.strictEqual(failed?.status.code, 2)
  })

  const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]

  it("belongs to the trace of a caller who records it", async () => {
    const traceparent = `00-${traceId}-${spanId}-01`
    const span = await spanOf(await server.request("GET", "/ready", { headers: { traceparent } }))
    assert.deepStrictEqual([span.traceId, span.parentSpanId], [traceId, spanId])
  })

  it("is not made for a caller who does not record the trace, and has no parent for one who says nonsense", async () => {
    const unrecorded = { traceparent: `00-${"1".repeat(32)}-${spanId}-00` }
    const quiet = await server.request("GET", "/ready", { headers: unrecorded })
    const loud = await server.request("GET", "/ready", { headers: { traceparent: "00-nonsense" } })
    assert.strictEqual((await spanOf(loud)).parentSpanId, undefined)
    assert.strictEqual(rootOf(quiet.headers.get("x-request-id") ?? ""), undefined)
    assert.isFalse(collector.spans.some((each) => each.traceId === "1".repeat(32)))
  })
})

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

describe("the metrics of the collector", () => {
  it("are those of /metrics, and no others", async () => {
    await until(() => collector.metrics.some(({ name }) => name === "gamekeeper_job_duration_seconds"))
    const page = await server.request("GET", "/metrics", { headers: { authorization: `Bearer ${metricsToken}` } })
    const shown = [...page.text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name)
    const hasValues = (name: string) => new RegExp(`^${name}(_bucket)?(\\{| )`, "m").test(page.text)
    const told = new Set(collector.metrics.map(({ name }) => name))
    assert.deepStrictEqual([...told].toSorted(), shown.filter(hasValues).toSorted())
  })

  it("have values, units and buckets", () => {
    const metric = (name: string) => collector.metrics.findLast((each) => each.name === name)
    const durations = metric("gamekeeper_http_request_duration_seconds")
    const [point] = durations?.histogram?.dataPoints ?? []
    assert.strictEqual(durations?.unit, "s")
    assert.strictEqual(point?.bucketCounts?.length, (point?.explicitBounds?.length ?? 0) + 1)
    const counted = point?.bucketCounts?.reduce((all, each) => all + Number(each), 0)
    assert.strictEqual(counted, Number(point?.count))
    assert.isAbove(Number(point?.count), 0)
    assert.isAbove(metric("gamekeeper_markers_total")?.sum?.dataPoints[0]?.asDouble ?? 0, 0)
    assert.strictEqual(metric("process_resident_memory_bytes")?.unit, "By")
  })
})

describe("what the collector is told", () => {
  it("has its headers, and no secret, body, query or player in it", async () => {
    await spanOf(await server.request("GET", "/ready"))
    assert.isNotEmpty(collector.asked)
    const text = collector.asked.map(({ body }) => body).join("\n")
    const session = studio.cookie.cookie.split("=")[1] ?? ""
    const secrets = [game.publicKey, game.secretKey, session, "correct horse", "@studio.test", metricsToken]
    const others = [
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
    const other = await listening(SqliteStores, { otlp: { ...otlp, endpoint: silent.url } })
    const answers = await Promise.all(Array.from({ length: 600 }, () => other.request("GET", "/ready")))
    assert.isTrue(answers.every(({ status }) => status === 200))
    await until(() => silent.asked.some(({ path }) => path === "/v1/traces"))
    await other.close()
    await silent.close()
  })
})
