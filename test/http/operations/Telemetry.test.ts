import { assert, beforeAll, describe, it } from "@effect/vitest"
import { insightOf, observed } from "../../support/operations/ObservedServer.ts"
import type { Answer } from "../../support/TestApp.ts"

const { collector, server, studio, game, rootOf, spanOf, below } = await observed()

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
  const keys = () => `/organization/${studio.organizationId}/audit-log?kind=apiKeys`
  const rows: ReadonlyArray<Row> = [
    {
      name: "that a person makes",
      ask: () => server.request("GET", keys(), { headers: studio.cookie }),
      method: "GET",
      status: 200,
      operation: "audit.list",
      route: "/organization/:organizationId/audit-log",
      organization: true,
      children: ["sql.execute"]
    },
    {
      name: "that is refused",
      ask: () => server.request("GET", keys()),
      method: "GET",
      status: 401,
      operation: "audit.list",
      route: "/organization/:organizationId/audit-log",
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
      ask: () => game.query("insights/execute", insightOf("Login")),
      method: "POST",
      status: 200,
      operation: "queries.insights",
      route: "/application/:applicationId/analytics/v1/queries/insights/execute",
      organization: true,
      children: ["question", "sql.execute"]
    },
    {
      name: "that fails",
      ask: () => game.query("insights/execute", insightOf("Mistake")),
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
      name: "for further markers, which another path takes",
      ask: () => game.send([marker()]),
      method: "POST",
      status: 200,
      operation: "ingest.markers",
      route: "/sdk/v1/markers",
      organization: true,
      children: ["markers.append", "sql.execute"]
    }
  ]
  const answers = new Map<string, Answer>()
  beforeAll(async () => {
    for (const { name, ask } of rows) answers.set(name, await ask())
  })

  it.each(rows)("$name", async ({ name, method, status, operation, route, organization, code, children }) => {
    const answer = answers.get(name)!
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
      const span = await spanOf(await game.query("insights/execute", insightOf(name)))
      return below(span).find((each) => each.name === "question")
    }
    const environment = { "gamekeeper.environment.id": studio.development, "gamekeeper.question.kind": "insight" }
    const [answered, failed] = await Promise.all([questionOf("Unknown"), questionOf("Mistake")])
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
    assert.strictEqual(rootOf(quiet), undefined)
    assert.isFalse(collector.spans.some((each) => each.traceId === "1".repeat(32)))
  })
})
