// A studio that minds its own business in a process of its own: asks for /health all the time and does what games and analysts do, one
// request of each kind after the other. Between `begin` and `end` of its parent it measures.
import { randomUUID } from "node:crypto"
import { Agent, request } from "node:http"
import type { Kind, NeighbourReport, NeighbourStart } from "./NeighbourReport.ts"
import { kinds } from "./NeighbourReport.ts"

const healthEveryMillis = 10
const agent = new Agent({ keepAlive: true, maxSockets: 512 })
/**
 * A machine that looks whether the server lives keeps its connection and asks again when it has the answer. Who opens a connection for each
 * look waits for all connections that came before it, whatever the server does: each turn of its event loop accepts one.
 */
const ofHealth = new Agent({ keepAlive: true, maxSockets: 1 })
const start: NeighbourStart = JSON.parse(process.argv[2] ?? "{}")

const send = (method: string, path: string, headers: Record<string, string>, body?: object, by = agent) =>
  new Promise<number>((resolve, reject) => {
    const text = body === undefined ? "" : JSON.stringify(body)
    const typed = body === undefined ? {} : { "content-type": "application/json" }
    const sent = request(
      start.url + path,
      { method, agent: by, headers: { ...typed, ...headers, "content-length": Buffer.byteLength(text) } },
      (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0))
    )
    sent.on("error", reject).end(text)
  })

const game = { authorization: start.key, environment: "production" }
let turn = 0

const marker = () => ({
  markerId: randomUUID(),
  timestamp: Date.now(),
  type: "Login",
  value: { level: turn % 9 },
  userId: `n${turn % 500}`
})

const insight = () => ({
  time: { step: "day", from: "2026-01-01T00:00:00Z", to: new Date().toISOString() },
  metrics: [{ id: "A", data: { name: "Login", type: "totalEvents" } }],
  filters: [{ source: "argument", name: "level", operator: "lessThan", value: turn }]
})

const analytics = `/application/${start.applicationId}/analytics/v1/queries/insights/execute`

const requests: Readonly<Record<Kind, () => Promise<number>>> = {
  ingest: () => send("POST", "/sdk/v1/markers", game, { markers: Array.from({ length: 10 }, marker) }),
  evaluate: () =>
    send("POST", "/sdk/v2/configurations/evaluate", game, { unit: { type: "user", distinctId: `n${turn % 5000}` } }),
  poll: () => send("GET", `/sdk/v2/status?turn=${turn}`, game),
  insight: () =>
    send("POST", analytics, { cookie: start.cookie, environment_id: String(start.environmentId) }, insight())
}

let measured: { health: number; failures: number; readonly times: Record<Kind, Array<number>> } | null = null

const timed = async (work: () => Promise<number>): Promise<number> => {
  const begun = performance.now()
  const status = await work().catch(() => 0)
  if (status !== 200 && measured !== null) measured.failures++
  return performance.now() - begun
}

const repeat = async (kind: Kind) => {
  for (;;) {
    turn++
    const times = measured?.times[kind]
    const took = await timed(requests[kind])
    times?.push(took)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

let isAsking = false

const askHealth = async () => {
  if (isAsking) return
  isAsking = true
  const during = measured
  const took = await timed(() => send("GET", "/health", {}, undefined, ofHealth))
  if (during !== null) during.health = Math.max(during.health, took)
  isAsking = false
}

const mean = (times: ReadonlyArray<number>): number => times.reduce((sum, each) => sum + each, 0) / times.length

process.on("message", (message) => {
  if (message === "begin")
    measured = { health: 0, failures: 0, times: { ingest: [], evaluate: [], poll: [], insight: [] } }
  else if (message === "end" && measured !== null) {
    const { health, failures, times } = measured
    const means = { ingest: 0, evaluate: 0, poll: 0, insight: 0 }
    for (const kind of kinds) means[kind] = mean(times[kind])
    measured = null
    const report: NeighbourReport = { health, means, failures }
    process.send?.(report)
  }
})
process.on("disconnect", () => process.exit())

for (const kind of kinds) void repeat(kind)
setInterval(() => void askHealth(), healthEveryMillis)
