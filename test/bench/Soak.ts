// Half an hour of an ordinary mix against the built server, by the clock: does memory, the number of open files or the latency grow? Each minute
// is measured by itself; a slope is the median of the slopes between any two minutes (Theil and Sen) of the last two thirds, so that warming
// up and single bad minutes count little. `npx tsx test/bench/Soak.ts --minutes 30` (after `npm run build`).
import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fetchRequest, startServer, withFolder } from "../support/Server.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, rate: { type: "string", default: "20" } }
})
const minutes = Number(values.minutes)
/** Batches of markers a second; everything else follows from it. */
const rate = Number(values.rate)
const perBatch = 20

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const quantile = (all: ReadonlyArray<number>, share: number): number =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0

/** Change for each minute. */
const slopeOf = (all: ReadonlyArray<number>): number =>
  quantile(
    all.flatMap((value, at) => all.slice(at + 1).map((later, more) => (later - value) / (more + 1))),
    0.5
  )

interface Minute {
  readonly residentMb: number
  readonly openFiles: number
  readonly connections: number
  readonly files: number
  readonly logMb: number
  readonly processorMs: number
  readonly p50: number
  readonly p99: number
  readonly answered: number
  readonly refused: number
}

const report = (all: ReadonlyArray<Minute>) => {
  const settled = all.slice(Math.floor(all.length / 3))
  console.log(`soak: ${all.length} minutes, slopes over the last ${settled.length}`)
  const rows: ReadonlyArray<readonly [name: string, of: (minute: Minute) => number, unit: string]> = [
    ["resident memory", ({ residentMb }) => residentMb, "MB"],
    ["open files of the process", ({ openFiles }) => openFiles, ""],
    ["open connections", ({ connections }) => connections, ""],
    ["files in the folder", ({ files }) => files, ""],
    ["logs of the databases", ({ logMb }) => logMb, "MB"],
    ["processor time per answer", ({ processorMs, answered }) => processorMs / Math.max(1, answered), "ms"],
    ["median latency", ({ p50 }) => p50, "ms"],
    ["99 % latency", ({ p99 }) => p99, "ms"]
  ]
  for (const [name, of, unit] of rows) {
    const numbers = settled.map(of)
    const slope = slopeOf(numbers)
    const middle = quantile(numbers, 0.5)
    console.log(
      `  ${name.padEnd(26)} first ${numbers[0]?.toFixed(2)} ${unit}, median ${middle.toFixed(2)}, last ${numbers.at(-1)?.toFixed(2)}; ` +
        `slope ${slope.toFixed(4)} ${unit} a minute (${((60 * 100 * slope) / Math.max(middle, 1e-9)).toFixed(1)} % an hour)`
    )
  }
  const total = (of: (minute: Minute) => number) => all.reduce((sum, minute) => sum + of(minute), 0)
  console.log(`  ${total(({ answered }) => answered)} answers, ${total(({ refused }) => refused)} refused`)
}

await withFolder(async (folder) => {
  const data = join(folder, "data")
  const server = await startServer(data, ["--rate-limits", "off"])
  const call = fetchRequest(server.url)
  const studio = await openStudio(call, "bench")
  const game = { authorization: await mintKey(call, studio, { type: "public" }), environment: "production" }
  const secret = await mintKey(call, studio, { permissions: ["analytics:read"] })
  const analyst = { authorization: `Bearer ${secret}`, environment_id: String(studio.production) }
  const own = { ...studio.cookie, environment_id: String(studio.production) }
  const configurations = `/application/${studio.applicationId}/v2/configuration`
  const made = await call("POST", configurations, {
    headers: own,
    body: { name: "main", isPrimary: true, configuration: { speed: 1 } }
  })
  let [sent, answered, refused] = [0, 0, 0]
  let latencies: Array<number> = []

  const marker = () => ({
    markerId: randomUUID(),
    timestamp: Date.now(),
    eventName: ["LevelCompleted", "Login", "Purchase", "PlayerDied"][sent++ % 4],
    distinctId: `player-${sent % 5000}`,
    properties: { level: sent % 60, seconds: (sent * 37) % 600, platform: sent % 2 ? "ios" : "android" }
  })
  const unit = () => ({ type: "user", distinctId: `player-${sent % 5000}` })
  const metrics = [{ id: "A", data: { name: ["Login", "Purchase"], type: "uniqueUsers" } }]
  const ask = {
    ingest: () =>
      call("POST", "/sdk/v1/markers", {
        headers: game,
        body: { markers: Array.from({ length: perBatch }, marker) }
      }),
    poll: () => call("GET", "/sdk/v2/status", { headers: game }),
    evaluate: () => call("POST", "/sdk/v2/configurations/evaluate", { headers: game, body: { unit: unit() } }),
    change: () =>
      call("PATCH", `${configurations}/${made.body.id}`, {
        headers: own,
        body: { changes: [{ op: "set", path: ["speed"], value: sent }] }
      }),
    query: () =>
      call("POST", `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`, {
        headers: analyst,
        body: { time: { step: "hour", timezone: "UTC", relative: { step: "day", value: 1 } }, metrics }
      })
  }
  /** How often each is asked, in milliseconds. */
  const every: Readonly<Record<keyof typeof ask, number>> = {
    ingest: 1000 / rate,
    poll: 1000 / rate,
    evaluate: 2000 / rate,
    change: 200_000 / rate,
    query: 20_000 / rate
  }

  const until = performance.now() + minutes * 60_000
  /** Asks when it is time, whether or not what was asked before is answered; the latency counts from that time. */
  const asking = async (kind: keyof typeof ask) => {
    for (let due = performance.now(); due < until; due += every[kind]) {
      await sleep(Math.max(0, due - performance.now()))
      void ask[kind]().then(({ status }) => {
        if (status === 200) answered++
        else refused++
        if (kind !== "query") latencies.push(performance.now() - due)
      })
    }
  }

  const processorMs = (): number => {
    const fields = readFileSync(`/proc/${server.process.pid}/stat`, "utf8").split(" ")
    return (Number(fields[13]) + Number(fields[14])) * 10
  }
  /** What the open descriptors of the server lead to. */
  const descriptors = (): ReadonlyArray<string> => {
    const folderOfThem = `/proc/${server.process.pid}/fd`
    return readdirSync(folderOfThem).flatMap((name) => {
      try {
        return [readlinkSync(join(folderOfThem, name))]
      } catch {
        return []
      }
    })
  }
  const look = (): Omit<Minute, "p50" | "p99" | "answered" | "refused"> => {
    const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8")
    const opened = descriptors()
    const connections = opened.filter((target) => target.startsWith("socket:")).length
    const names = readdirSync(data, { recursive: true }).map(String)
    const logs = names.filter((name) => name.endsWith("-wal"))
    return {
      residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
      openFiles: opened.length - connections,
      connections,
      files: names.length,
      logMb: logs.reduce((sum, name) => sum + statSync(join(data, name)).size, 0) / 1e6,
      processorMs: processorMs()
    }
  }

  const all: Array<Minute> = []
  let spent = processorMs()
  const watching = async () => {
    for (let minute = 1; minute <= minutes; minute++) {
      await sleep(60_000)
      const now = look()
      all.push({
        ...now,
        processorMs: now.processorMs - spent,
        p50: quantile(latencies, 0.5),
        p99: quantile(latencies, 0.99),
        answered,
        refused
      })
      spent = now.processorMs
      latencies = []
      ;[answered, refused] = [0, 0]
      const last = all.at(-1)
      if (last !== undefined)
        console.log(
          `  minute ${String(minute).padStart(3)}: ${last.residentMb.toFixed(0)} MB, ${last.openFiles} open files, ` +
            `logs ${last.logMb.toFixed(1)} MB, ${last.answered} answers, median ${last.p50.toFixed(1)} ms, 99 % ${last.p99.toFixed(0)} ms`
        )
    }
  }
  await Promise.all([
    watching(),
    asking("ingest"),
    asking("poll"),
    asking("evaluate"),
    asking("change"),
    asking("query")
  ])
  report(all)
  await server.stop()
})
process.exit()
