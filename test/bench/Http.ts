// Markers over HTTP beside a bare server, and the start of the built server on a folder without markers. Ratios; the seconds depend on the machine.
import Database from "better-sqlite3"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { openStudio, mintKey } from "../support/access/Studio.ts"
import { fetchRequest, root, startServer, withFolder } from "../support/Server.ts"
import { hand } from "./report/Hand.ts"
import { held } from "./report/MustHold.ts"
import { median, ratios, shown } from "./report/Numbers.ts"
import { below, row } from "./report/Row.ts"

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "3" } }
})
const connections = 16
const rounds = Number(values.rounds)
const roundMillis = Number(values.seconds) * 1000
const batchSize = 100

const marker = (n: number) => ({
  markerId: randomUUID(),
  timestamp: Date.now(),
  eventName: ["LevelCompleted", "Login", "Purchase", "PlayerDied"][n % 4],
  distinctId: `player-${n % 5000}`,
  sessionId: `session-${n % 900}`,
  properties: { level: n % 60, seconds: (n * 37) % 600, cause: "lava", platform: n % 2 ? "ios" : "android" }
})

const batch = (n: number): string =>
  JSON.stringify({ markers: Array.from({ length: batchSize }, (_, i) => marker(n * batchSize + i)) })

const agent = new Agent({ keepAlive: true, maxSockets: connections })

const post = (url: string, body: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const sent = request(
      url,
      {
        method: "POST",
        agent,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers }
      },
      (response) => {
        response.resume()
        response.on("end", () => resolve(response.statusCode ?? 0))
      }
    )
    sent.on("error", reject)
    sent.end(body)
  })

const bodies = Array.from({ length: 400 }, (_, n) => batch(n))
/** Fresh ids in a ready-made body: making bodies must not be what is measured. */
const refreshed = (body: string) =>
  body.replaceAll(
    /"markerId":"[0-9a-f]{8}/g,
    () =>
      `"markerId":"${Math.floor(Math.random() * 4294967296)
        .toString(16)
        .padStart(8, "0")}`
  )

/** Accepted markers per second over `roundMillis`. */
const load = async (url: string, headers: Record<string, string>): Promise<number> => {
  const until = performance.now() + roundMillis
  const started = performance.now()
  let accepted = 0
  const worker = async (n: number) => {
    for (let i = n; performance.now() < until; i += connections) {
      const status = await post(url, refreshed(bodies[i % bodies.length]!), headers)
      if (status === 200) accepted += batchSize
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, n) => worker(n)))
  return (accepted / (performance.now() - started)) * 1000
}

const bareInserts = (file: string): number => {
  const database = new Database(file)
  database.pragma("journal_mode = wal")
  database.pragma("synchronous = full")
  database.exec("create table if not exists markers (id text, type text, unit text, at integer, body text)")
  const insert = database.prepare("insert into markers values (?, ?, ?, ?, ?)")
  const write = database.transaction((markers: ReadonlyArray<ReturnType<typeof marker>>) => {
    for (const each of markers)
      insert.run(each.markerId, each.eventName, each.distinctId, each.timestamp, JSON.stringify(each.properties))
  })
  const parsed = bodies.map((body) => JSON.parse(body).markers)
  const started = performance.now()
  let written = 0
  for (let i = 0; performance.now() - started < roundMillis; i++) {
    write(parsed[i % parsed.length])
    written += batchSize
  }
  const rate = (written / (performance.now() - started)) * 1000
  database.close()
  return rate
}

const startBare = (file: string) =>
  new Promise<{ readonly url: string; readonly stop: () => void }>((resolve) => {
    const child = spawn(process.execPath, ["--import", "tsx", join(root, "test/bench/BareServer.ts"), file])
    child.stdout.on("data", (chunk: Buffer) => {
      const match = /http:\/\/\S+/.exec(chunk.toString())
      if (match !== null) resolve({ url: match[0], stop: () => child.kill() })
    })
  })

const residentMb = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

await withFolder(async (folder) => {
  const server = await startServer(join(folder, "data"), ["--rate-limits", "off"])
  const studio = await openStudio(fetchRequest(server.url), "bench")
  const key = await mintKey(fetchRequest(server.url), studio, { type: "public" })
  const bare = await startBare(join(folder, "bare.sqlite"))
  const measured = { ours: [] as Array<number>, bareHttp: [] as Array<number>, bareSqlite: [] as Array<number> }
  // Both compile what they do before it counts.
  await load(`${server.url}/sdk/v1/markers`, { authorization: key, environment: "production" })
  await load(bare.url, {})
  for (let round = 0; round < rounds; round++) {
    measured.ours.push(await load(`${server.url}/sdk/v1/markers`, { authorization: key, environment: "production" }))
    measured.bareHttp.push(await load(bare.url, {}))
    measured.bareSqlite.push(bareInserts(join(folder, "inserts.sqlite")))
  }
  bare.stop()
  const rate = (perSecond: ReadonlyArray<number>) => `${shown(median(perSecond))}/s`
  const note = `${rate(measured.ours)} and ${rate(measured.bareHttp)}`
  const bareWhat = "Markers taken in over HTTP, 100 a request, 16 connections"
  hand([
    held("http.ingest", ratios(measured.ours, measured.bareHttp), { note }),
    row(
      "http.ingest.sqlite",
      { what: bareWhat, peer: "better-sqlite3 alone, the same rows in this process" },
      ratios(measured.ours, measured.bareSqlite),
      { note: rate(measured.bareSqlite) }
    ),
    row("http.memory", { what: "Memory after the load of markers over HTTP", unit: "MB" }, [
      residentMb(server.process.pid)
    ])
  ])
  await server.stop()
})

await withFolder(async (folder) => {
  await (await startServer(folder)).stop()
  const starts: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const server = await startServer(folder)
    await fetch(`${server.url}/health`)
    starts.push((performance.now() - started) / 1000)
    await server.stop()
  }
  const what = "Start to the first answered request, a folder that is there and has no markers"
  hand([row("http.start", { what, unit: "s", aim: below(1) }, starts)])
})
process.exit()
