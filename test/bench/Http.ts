// Markers over HTTP beside a bare server, start and memory of the built server. Ratios; the seconds depend on the machine.
import Database from "better-sqlite3"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { openStudio, mintKey } from "../support/access/Studio.ts"
import { fetchRequest, root, startServer, withFolder } from "../support/Server.ts"

const connections = 16
const rounds = 5
const roundMillis = 3000
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

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

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

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

await withFolder(async (folder) => {
  const server = await startServer(join(folder, "data"), ["--rate-limits", "off"])
  const studio = await openStudio(fetchRequest(server.url), "bench")
  const key = await mintKey(fetchRequest(server.url), studio, { type: "public" })
  const bare = await startBare(join(folder, "bare.sqlite"))
  const measured = { ours: [] as Array<number>, bareHttp: [] as Array<number>, bareSqlite: [] as Array<number> }
  for (let round = 0; round < rounds; round++) {
    measured.ours.push(await load(`${server.url}/sdk/v1/markers`, { authorization: key, environment: "production" }))
    measured.bareHttp.push(await load(bare.url, {}))
    measured.bareSqlite.push(bareInserts(join(folder, "inserts.sqlite")))
  }
  bare.stop()
  const [ours, bareHttp, bareSqlite] = [median(measured.ours), median(measured.bareHttp), median(measured.bareSqlite)]
  console.log(
    `markers over HTTP, ${batchSize} a request, ${connections} connections, medians of ${rounds} interleaved rounds`
  )
  console.log(`  ours, accepted and on disk:                 ${Math.round(ours)} markers/s`)
  console.log(
    `  (b) node:http + JSON.parse + better-sqlite3: ${Math.round(bareHttp)} markers/s  ours/(b) = ${(ours / bareHttp).toFixed(2)}`
  )
  console.log(
    `  (a) bare better-sqlite3, the same rows:      ${Math.round(bareSqlite)} markers/s  ours/(a) = ${(ours / bareSqlite).toFixed(2)}`
  )
  console.log(`  resident after the load: ${Math.round(residentMb(server.process.pid))} MB`)
  await server.stop()
})

await withFolder(async (folder) => {
  await (await startServer(folder)).stop()
  const starts: Array<number> = []
  const resident: Array<number> = []
  let idle = 0
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const server = await startServer(folder)
    await fetch(`${server.url}/health`)
    starts.push(performance.now() - started)
    await sleep(1500)
    resident.push(residentMb(server.process.pid))
    if (round === rounds - 1) {
      await sleep(60_000)
      idle = residentMb(server.process.pid)
    }
    await server.stop()
  }
  console.log(
    `start to first answered request, existing folder: ${(median(starts) / 1000).toFixed(2)} s (aim: under 1)`
  )
  console.log(`resident memory after the start: ${Math.round(median(resident))} MB`)
  console.log(`resident memory after a minute of nothing to do: ${Math.round(idle)} MB (aim: under 150)`)
})
