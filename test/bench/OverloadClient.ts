// The games and analysts of test/bench/Overload.ts, in a process of their own. Prints what became of their requests as one line of JSON. Told
// to verify, it sends every batch again that was acknowledged, and prints as a second line how many markers were not there.
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { Agent, request } from "node:http"

export interface Task {
  readonly url: string
  readonly publicKey: string
  readonly secretKey: string
  readonly applicationId: number
  readonly environmentId: number
  readonly seconds: number
  /** Requests a second, whether or not earlier ones were answered; null: each connection waits for its answer. */
  readonly rate: number | null
}

export interface Times {
  readonly count: number
  readonly median: number
  readonly p99: number
  readonly longest: number
}

export interface Outcome {
  readonly perSecond: number
  /** Sent to the server; what the client could not send in time is not counted. */
  readonly sent: number
  readonly unsent: number
  readonly cutOff: number
  readonly acknowledged: number
  readonly accepted: Readonly<Record<string, Times>>
  readonly refused: Readonly<Record<string, Times>>
  readonly statuses: Readonly<Record<string, number>>
}

/** Batches that were acknowledged, and markers of them that were not there. */
export interface Verified {
  readonly batches: number
  readonly missing: number
}

const connections = 16
const mostSockets = 1000
const batchSize = 100

const task: Task = JSON.parse(process.argv[2] ?? "{}")
const agent = new Agent({ keepAlive: true, maxSockets: task.rate === null ? connections : mostSockets })
const game = { authorization: task.publicKey, environment: "production" }
const analyst = { authorization: `Bearer ${task.secretKey}`, environment_id: String(task.environmentId) }

const marker = (n: number) => ({
  markerId: randomUUID(),
  timestamp: Date.now(),
  eventName: ["LevelCompleted", "Login", "Purchase", "PlayerDied"][n % 4],
  distinctId: `player-${n % 5000}`,
  properties: { level: n % 60, seconds: (n * 37) % 600, cause: "lava", platform: n % 2 ? "ios" : "android" }
})
const bodies = Array.from({ length: 50 }, (_, n) =>
  JSON.stringify({ markers: Array.from({ length: batchSize }, (_, i) => marker(n * batchSize + i)) })
)
/** A ready-made body with the ids of the n-th batch. */
const batchOf = (n: number) =>
  (bodies[n % bodies.length] ?? "").replaceAll(
    /"markerId":"[0-9a-f]{8}/g,
    () => `"markerId":"${n.toString(16).padStart(8, "0")}`
  )

const kinds = {
  poll: () => ({ method: "GET", path: "/sdk/v2/status", headers: game, body: undefined }),
  evaluate: (n: number) => ({
    method: "POST",
    path: "/sdk/v2/configurations/evaluate",
    headers: game,
    body: JSON.stringify({ unit: { type: "user", distinctId: `player-${n % 5000}` } })
  }),
  ingest: (n: number) => ({
    method: "POST",
    path: "/sdk/v1/markers",
    headers: game,
    body: batchOf(n)
  }),
  query: (n: number) => ({
    method: "POST",
    path: `/application/${task.applicationId}/analytics/v1/queries/insights/execute`,
    headers: analyst,
    body: JSON.stringify({
      time: { step: "day", timezone: "UTC", relative: { step: "day", value: 7 } },
      metrics: [{ id: "A", visible: true, data: { name: ["Login", "Purchase"], type: "uniqueUsers" } }],
      filters: [{ source: "argument", name: "seconds", operator: "greaterThanOrEqual", value: n }]
    })
  })
}
type Kind = keyof typeof kinds
const mix: ReadonlyArray<Kind> = [
  "poll",
  "ingest",
  "evaluate",
  "ingest",
  "poll",
  "ingest",
  "evaluate",
  "ingest",
  "poll",
  "query"
]

const accepted: Record<string, Array<number>> = {}
const refused: Record<string, Array<number>> = {}
const statuses: Record<string, number> = {}
let [sent, unsent, cutOff, acknowledged, underWay] = [0, 0, 0, 0, 0]

const acknowledgedBatches: Array<number> = []

const note = (n: number, kind: Kind, status: number, elapsed: number, text: string) => {
  const times = status < 400 ? accepted : refused
  ;(times[kind] ??= []).push(elapsed)
  const name = `${kind} ${status}`
  statuses[name] = (statuses[name] ?? 0) + 1
  if (kind !== "ingest" || status !== 200) return
  acknowledged += JSON.parse(text).ingestedMarkersCount
  acknowledgedBatches.push(n)
}

const fire = (n: number) =>
  new Promise<void>((resolve) => {
    const kind = mix[n % mix.length] ?? "poll"
    const { method, path, headers, body } = kinds[kind](n)
    const length =
      body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    let started = performance.now()
    underWay++
    const done = () => {
      underWay--
      resolve()
    }
    const asked = request(`${task.url}${path}`, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks: Array<Buffer> = []
      const elapsed = performance.now() - started
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => {
        note(n, kind, response.statusCode ?? 0, elapsed, Buffer.concat(chunks).toString())
        done()
      })
      response.on("error", () => undefined)
    })
    // A request may wait for a free connection of this client; the server knows nothing of that.
    asked.once("socket", (socket) => {
      const go = () => (started = performance.now())
      if (socket.connecting) socket.once("connect", go)
      else go()
    })
    asked.on("error", () => {
      cutOff++
      done()
    })
    sent++
    asked.end(body)
  })

const until = performance.now() + task.seconds * 1000
const begun = performance.now()
let turn = 0

const closed = () =>
  Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) await fire(turn++)
    })
  )

const open = async (rate: number) => {
  const all: Array<Promise<void>> = []
  while (performance.now() < until) {
    const due = Math.floor(((performance.now() - begun) / 1000) * rate)
    while (turn < due) {
      if (underWay < 2 * mostSockets) all.push(fire(turn))
      else unsent++
      turn++
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(all)
}

const timesOf = (all: ReadonlyArray<number>): Times => {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
  return { count: sorted.length, median: at(0.5), p99: at(0.99), longest: at(1) }
}
const each = (times: Readonly<Record<string, ReadonlyArray<number>>>) =>
  Object.fromEntries(Object.entries(times).map(([kind, all]) => [kind, timesOf(all)]))

await (task.rate === null ? closed() : open(task.rate))
const perSecond = (Object.values(accepted).flat().length / (performance.now() - begun)) * 1000
const outcome: Outcome = {
  perSecond,
  sent,
  unsent,
  cutOff,
  acknowledged,
  accepted: each(accepted),
  refused: each(refused),
  statuses
}
console.log(JSON.stringify(outcome))

/** Whatever of a batch is stored now was not there; a batch that is refused is sent again. */
const verify = async (): Promise<Verified> => {
  let [missing, at] = [0, 0]
  const one = async () => {
    for (;;) {
      const n = acknowledgedBatches[at++]
      if (n === undefined) return
      const { method, path, headers } = kinds.ingest(n)
      for (let status = 0; status !== 200;) {
        const answer = await fetch(task.url + path, {
          method,
          headers: { ...headers, "content-type": "application/json" },
          body: batchOf(n)
        }).catch(() => null)
        status = answer?.status ?? 0
        if (answer !== null && status === 200) missing += JSON.parse(await answer.text()).ingestedMarkersCount
        else await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }
  await Promise.all(Array.from({ length: 4 }, one))
  return { batches: acknowledgedBatches.length, missing }
}

await once(process.stdin, "data")
console.log(JSON.stringify(await verify()))
process.exit(0)
