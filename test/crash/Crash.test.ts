import { assert, it } from "@effect/vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { buildSync } from "esbuild"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { openGuarded } from "../../src/adapters/sqlite/events/file/EventsDb.ts"
import type { ListingAnswer, ListingPlan } from "../../src/domain/analytics/question/Question.ts"
import type { PoolAnswer } from "../../src/adapters/sqlite/events/threads/PoolTerms.ts"
import { verify } from "../../src/adapters/sqlite/events/file/Verification.ts"
import type { Event } from "../../src/domain/analytics/markers/Event.ts"
import type { InsightPlan } from "../../src/domain/analytics/insight/InsightPlan.ts"
import { unfiltered } from "../../src/domain/analytics/filter/Filter.ts"
import { append, ask, close, directory, open } from "../adapters/sqlite/events/Store.ts"
import { runCount } from "../support/Runs.ts"
import { threads } from "../support/Workers.ts"

const kills = runCount(11)
/** In the midst of which transaction, and at which of its rows, the process is killed. */
const aims = [
  ..."sealing:1 compaction:1 retention:1 sealing:4 compaction:2 retention:2".split(" "),
  ..."sealing:9 compaction:4 retention:3 compaction:7".split(" ")
]
const perRequest = 60
const day = 86_400_000
const base = Date.UTC(2026, 3, 1)
const root = join(import.meta.dirname, "..", "..")
const script = join(root, "dist", "test", "CrashingStore.mjs")

/** Eight hexadecimal digits that differ for each number, and are spread as those of random ids are (the last steps of MurmurHash3). */
const digits = (number: number): string => {
  const first = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return ((second ^ (second >>> 16)) >>> 0).toString(16).padStart(8, "0")
}

const uuid = (request: number, at: number): string => {
  const number = request * perRequest + at
  const [one, other] = [digits(number), digits(number + 0x40000000)]
  return `${one}-${other.slice(0, 4)}-${other.slice(4)}-${one.slice(4)}-${other}${one.slice(0, 4)}`
}

const request = (id: number, markerOf: (at: number) => Partial<Event> = () => ({})): ReadonlyArray<Event> =>
  Array.from({ length: perRequest }, (_, at) => ({
    markerId: uuid(id, at),
    type: `T${at % 3}`,
    unitId: `u${(id * 7 + at) % 40}`,
    sessionId: null,
    serverId: null,
    timestamp: base + id * 1000 + at,
    receivedAt: base,
    clamped: false,
    arguments: { id, at },
    properties: {},
    position: null,
    ...markerOf(at)
  }))

/** Markers that are past retention. */
const outdated = (id: number) =>
  request(id, (at) => ({ markerId: uuid(-id, at), timestamp: base - 90 * day + at, type: "Old" }))

const retention = [
  { environmentId: 1, before: base - day },
  { environmentId: 2, before: base - day }
]

const start = (file: string, aim: string): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, file, threads.writer, threads.reader, threads.sealer, aim], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    child.once("exit", (code) => reject(new Error(`The store ended with ${code}`)))
    child.stdout.once("data", () => resolve(child))
  })

const counting: InsightPlan = {
  range: { from: 0, to: 1e15 },
  buckets: { step: "month", zone: "UTC", boundaries: [0, 1e15] },
  metrics: [{ id: "A", selector: { types: ["Old"], filter: unfiltered }, measure: { type: "totalEvents" } }],
  filter: unfiltered,
  breakdowns: [],
  breakdownLimit: 25,
  groups: null,
  cumulative: false
}

const patience = 120_000

/** Sends requests until the process is killed: some milliseconds later, or by itself at its aim. Answers which were acknowledged. */
const session = async (file: string, ids: ReadonlyArray<number>, aim: string, delay: number): Promise<Set<number>> => {
  const child = await start(file, aim)
  const acknowledged = new Set<number>()
  createInterface({ input: child.stdout! }).on("line", (line) => acknowledged.add(Number(line)))
  const ended = new Promise((resolve) => child.once("close", resolve))
  child.stdin!.on("error", () => undefined)
  const timer = setTimeout(() => child.kill("SIGKILL"), delay)
  for (const id of ids) {
    if (child.exitCode !== null || child.killed) break
    const now = id % 10 === 0 ? { old: outdated(id), retention } : { old: [], retention: [] }
    child.stdin!.write(`${JSON.stringify({ id, receivedAt: base, events: request(id), ...now })}\n`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await ended
  clearTimeout(timer)
  assert.strictEqual(child.signalCode, "SIGKILL")
  if (aim !== "") assert.isFalse(child.killed, `nothing happened at ${aim}`)
  return acknowledged
}

it("After every kill each acknowledged marker is there once and none twice", { timeout: 900_000 }, async () => {
  buildSync({
    entryPoints: [join(root, "test", "support", "analytics", "CrashingStore.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["better-sqlite3"],
    logLevel: "warning"
  })
  const { file, remove } = directory()
  const acknowledged = new Set<number>()
  let unacknowledged: ReadonlyArray<number> = []
  let next = 1
  for (let kill = 0; kill < kills + aims.length; kill++) {
    const aim = aims[kill - kills] ?? ""
    // Enough for an aim that is some commits and segments away, on a quick machine too.
    const fresh = Array.from({ length: aim === "" ? 100 : 500 }, (_, at) => next + at)
    const ids = [...unacknowledged, ...fresh]
    const stored = await session(file, ids, aim, aim === "" ? 20 + ((kill * 137) % 400) : patience)
    for (const id of stored) acknowledged.add(id)
    next += fresh.length
    unacknowledged = ids.filter((id) => !stored.has(id))
    const { db, guard } = openGuarded(file, assert.fail)
    assert.deepStrictEqual(verify(db).problems, [])
    guard.finish(db)
    guard.close()
  }
  const store = await open({ file, threads })
  for (const id of unacknowledged) assert.strictEqual((await append(store, 1, base, request(id)))._tag, "Stored")
  const seen = new Map<string, number>()
  let after: ListingPlan["after"] = null
  do {
    const plan: ListingPlan = {
      range: { from: 0, to: 1e15 },
      types: null,
      unitId: null,
      filter: unfiltered,
      limit: 1000,
      after
    }
    const asked: PoolAnswer<ListingAnswer> = await ask(store, 1, { kind: "listing", plan })
    assert(asked._tag === "Answered", asked._tag)
    for (const { markerId } of asked.answer.items) seen.set(markerId ?? "", (seen.get(markerId ?? "") ?? 0) + 1)
    after = asked.answer.next
  } while (after !== null)
  const expected = next - 1
  assert.isAbove(acknowledged.size, 0)
  for (let id = 1; id <= expected; id++)
    for (let at = 0; at < perRequest; at++) assert.strictEqual(seen.get(uuid(id, at)), 1)
  assert.strictEqual(seen.size, expected * perRequest)
  const types = await ask(store, 1, { kind: "types", plan: { now: base + day } })
  assert(types._tag === "Answered")
  assert.strictEqual(
    types.answer.reduce((sum, { count30d }) => sum + count30d, 0),
    expected * perRequest
  )
  await new Promise((resolve) => store.maintain({ now: base, retention }, resolve))
  const old = await ask(store, 2, { kind: "insight", plan: counting })
  assert(old._tag === "Answered")
  assert.strictEqual(old.answer.metrics[0]?.[0]?.aggregate ?? 0, 0)
  await close(store)
  const { db, guard } = openGuarded(file, assert.fail)
  assert.deepStrictEqual(verify(db).problems, [])
  guard.finish(db)
  guard.close()
  remove()
})
