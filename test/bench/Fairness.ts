// What others notice while one studio, or somebody without any credential, asks for as much as the contract allows: the longest wait for
// /health, and the requests of a neighbour beside the quiet server. Client and neighbour are processes of their own.
import type { ChildProcess } from "node:child_process"
import { fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { fetchRequest, root, startServer, withFolder } from "../support/Server.ts"
import { anonymous } from "./fairness/AnonymousCases.ts"
import type { Attacker, Case } from "./fairness/Attack.ts"
import { documents } from "./fairness/DocumentCases.ts"
import { kinds, type NeighbourReport, type NeighbourStart } from "./fairness/NeighbourReport.ts"
import { traffic } from "./fairness/TrafficCases.ts"
import { experimentOf, fill, linkOf, play } from "./fairness/Worlds.ts"
import { hand } from "./report/Hand.ts"
import { atMost, type Row, row as rowOf } from "./report/Row.ts"

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    assignments: { type: "string", default: "1e6" },
    streams: { type: "string", default: "5000" },
    markers: { type: "string", default: "2e5" },
    clicks: { type: "string", default: "2e5" },
    seconds: { type: "string", default: "3" },
    limits: { type: "boolean", default: false }
  }
})
const assignments = Number(values.assignments)
/** Threads compile what they will be asked, and the neighbour gets going. */
const warmUpMillis = 5_000
const quietMillis = Number(values.seconds) * 1000

type Server = Awaited<ReturnType<typeof startServer>>

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Pause {
  /** Milliseconds between two turns of the event loop at most. */
  readonly longest: number
  /** Milliseconds of processor that the thread took between two turns at most: what others wait for where the machine is not busy. */
  readonly processor: number
}

/** The longest pause of the server's main thread since it was last asked for. */
const longestPause = async ({ process: child, output }: Server): Promise<Pause> => {
  const before = output().err.length
  child.kill("SIGUSR2")
  for (;;) {
    const line = /pause (\{.*\})\n/.exec(output().err.slice(before))
    if (line !== null) return JSON.parse(line[1] ?? "")
    await once(child.stderr!, "data")
  }
}

/** Milliseconds of processor that the main thread has taken. */
const processorOf = ({ process: { pid } }: Server): number => {
  const fields = (readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8").split(") ")[1] ?? "").split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const residentMb = ({ process: { pid } }: Server): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

const neighbourTo = (start: NeighbourStart): ChildProcess =>
  fork(join(root, "test/bench/fairness/Neighbour.ts"), [JSON.stringify(start)], { execArgv: ["--import", "tsx"] })

interface Measured extends NeighbourReport {
  readonly pause: Pause
  readonly processor: number
  readonly took: number
  readonly statuses: ReadonlyArray<number>
}

const measure = async (
  server: Server,
  neighbour: ChildProcess,
  work: () => Promise<ReadonlyArray<number>>
): Promise<Measured> => {
  await longestPause(server)
  const [processor, begun] = [processorOf(server), performance.now()]
  neighbour.send("begin")
  const statuses = await work()
  const took = performance.now() - begun
  await sleep(300)
  neighbour.send("end")
  const [report]: Array<NeighbourReport> = await once(neighbour, "message")
  if (report === undefined) throw new Error("The neighbour has nothing to tell")
  return { ...report, statuses, took, pause: await longestPause(server), processor: processorOf(server) - processor }
}

const statusText = (statuses: ReadonlyArray<number>): string => {
  const counts = new Map<number, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count}×${status || "cut"}`).join(" ")
}

const columns = [
  "health",
  "pause",
  "CPU pause",
  "aim",
  ...kinds.map((kind) => `${kind} ×`),
  "failed",
  "CPU ms",
  "took",
  "RSS MB",
  "statuses"
]

const row = (name: string, cells: ReadonlyArray<string>) =>
  console.log(`${name.padEnd(52)}${cells.map((cell) => cell.padStart(11)).join("")}`)

const show = (server: Server, { name, isAnonymous }: Case, found: Measured, quiet: NeighbourReport) =>
  row(name, [
    `${found.health.toFixed(0)} ms`,
    `${found.pause.longest.toFixed(0)} ms`,
    `${found.pause.processor.toFixed(0)} ms`,
    `≤ ${isAnonymous ? 10 : 100} ms`,
    ...kinds.map((kind) => (found.means[kind] / quiet.means[kind]).toFixed(1)),
    String(found.failures),
    found.processor.toFixed(0),
    `${(found.took / 1000).toFixed(1)} s`,
    residentMb(server).toFixed(0),
    `  ${statusText(found.statuses)}`
  ])

/** What others notice of one case: the longest wait for /health, and the kind of request that became slowest. */
const rowsOf = ({ name, isAnonymous }: Case, found: Measured, quiet: NeighbourReport): ReadonlyArray<Row> => {
  const slower = kinds.map((kind) => found.means[kind] / quiet.means[kind])
  const worst = kinds[slower.indexOf(Math.max(...slower))]
  const peer = "the same requests of a quiet server"
  const failed = found.failures === 0 ? "" : `, ${found.failures} REQUESTS FAILED`
  return [
    rowOf(
      `fairness.health.${name}`,
      { what: `Longest wait for /health: ${name}`, unit: "ms", aim: atMost(isAnonymous ? 10 : 100) },
      [found.health],
      { note: `${found.pause.processor.toFixed(0)} ms of processor in one turn at most` }
    ),
    rowOf(
      `fairness.neighbour.${name}`,
      { what: `Time of a neighbour's requests: ${name}`, peer, aim: atMost(3) },
      [Math.max(...slower)],
      { note: `${worst} is slowest${failed}` }
    )
  ]
}

const chosen = [...documents, ...traffic, ...anonymous].filter(
  ({ name }) => values.only === undefined || values.only.some((part) => name.includes(part))
)

await withFolder(async (folder) => {
  const probe = pathToFileURL(join(root, "test/bench/Probe.mjs")).href
  const data = join(folder, "data")
  const args = ["--sign-up", "open", "--rate-limits", values.limits ? "on" : "off"]
  const first = await startServer(data, args)
  const studio = await openStudio(fetchRequest(first.url), "attacker")
  const other = await openStudio(fetchRequest(first.url), "neighbour")
  const crowded = await experimentOf(first.url, studio)
  const followed = await linkOf(first.url, studio)
  await fetchRequest(first.url)("POST", `/application/${other.applicationId}/v2/configuration`, {
    headers: other.cookie,
    body: { name: "main", configuration: { gold: 5 }, isPrimary: true }
  })
  const [key, otherKey] = [
    await mintKey(fetchRequest(first.url), studio, { type: "public" }),
    await mintKey(fetchRequest(first.url), other, { type: "public" })
  ]
  await first.stop()
  const place = { experimentId: crowded, link: followed, environmentId: studio.production }
  fill(join(data, "metadata.sqlite"), place, { assignments, clicks: Number(values.clicks) })
  const server = await startServer(data, args, { NODE_OPTIONS: `--import ${probe}` })
  const neighbour = neighbourTo({
    url: server.url,
    key: otherKey,
    cookie: other.cookie.cookie,
    applicationId: other.applicationId,
    environmentId: other.production
  })
  // Who asks for so much sits at machines of their own. Here their client gives way to the server and to the neighbour, so that what is
  // measured is how the server shares its turns, and not how the system shares two cores among three programs.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const call = fetchRequest(server.url)
  const attacker: Attacker = { url: server.url, call, studio, key, crowded, followed, streams: Number(values.streams) }
  await play(server.url, key, Number(values.markers))
  await sleep(warmUpMillis)
  const quiet = await measure(server, neighbour, async () => {
    await sleep(quietMillis)
    return []
  })
  console.log(
    `${assignments} assignments; a neighbour's requests as ratios to the quiet server (aim ≤ 3): ` +
      kinds.map((kind) => `${kind} ${quiet.means[kind].toFixed(1)} ms`).join(", ")
  )
  row("", columns)
  row(
    "quiet",
    [quiet.health, quiet.pause.longest, quiet.pause.processor].map((each) => `${each.toFixed(0)} ms`)
  )
  const missed: Array<string> = []
  for (const each of chosen) {
    const found = await measure(server, neighbour, () => each.attack(attacker))
    show(server, each, found, quiet)
    hand(rowsOf(each, found, quiet))
    const isSlow = kinds.some((kind) => found.means[kind] > 3 * quiet.means[kind])
    if (found.health > (each.isAnonymous ? 10 : 100) || found.failures > 0 || isSlow) missed.push(each.name)
    await sleep(500)
  }
  console.log(missed.length === 0 ? "all aims are met" : `aims that are missed: ${missed.join("; ")}`)
  neighbour.disconnect()
  await server.stop()
})
process.exit()
