// Processes over PostgreSQL and ClickHouse beside what there is without them: questions beside the store on one machine and beside
// ClickHouse's own functions, markers taken in beside a bare insert, polls of two processes beside those of one. Ratios; the rest depends on the machine.
import { ClickHouseLogLevel, createClient } from "@clickhouse/client"
import { availableParallelism, loadavg, tmpdir } from "node:os"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { Client } from "pg"
import { defaults } from "../../src/app/Config.ts"
import { addressOf, endEngine, migrate, startEngine } from "../cluster/Postgres.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { startClickHouse } from "../support/cluster/ClickHouseProcess.ts"
import { fetchRequest, startServer } from "../support/Server.ts"
import { setup } from "../support/Workers.ts"
import { isChdbThere, loadChdb } from "./Chdb.ts"
import { chdbQuestions, ofOwnTable } from "./ChdbQuestions.ts"
import { askCluster, loadBare, loadCluster, makeDatabase, openCluster, settleCluster } from "./ClusterStore.ts"
import type { Size } from "./Generate.ts"
import { ask, close, loadOurs, maintain, openOurs, setCohort } from "./Ours.ts"
import { connections, fillConfigurations, pollsPerSecond } from "./PollLoad.ts"
import { cohort, cohortId, questions } from "./Questions.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1e6" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "2" },
    only: { type: "string", default: "append,questions,polls" }
  }
})

/** Days in which no marker loses its id: those of the benchmark are of long ago, and the other store still has theirs. */
const always = 100_000

const parts = new Set(values.only.split(","))
const events = Number(values.events)
const rounds = Number(values.rounds)
const size: Size = { events, players: Math.max(1000, Math.round(events / 100)) }

const median = (times: ReadonlyArray<number>): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
const geometric = (ratios: ReadonlyArray<number>): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/** Sequences are given in the order of receipt, and of requests that are sent together any may be first. */
const unnumbered = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value: unknown) => (name === "sequence" ? undefined : value)))

/** Markers of a round of appends at most: rounds that follow each other soon are of the same machine. */
const mostAppended = 300_000

/** Appends beside bare inserts of the same markers, by turns, each time into databases of their own. */
const ofAppends = async (engine: string, clickHouse: string): Promise<void> => {
  const ratios: Array<number> = []
  const own = { ...size, events: Math.min(events, mostAppended) }
  const rate = (milliseconds: number): string => `${Math.round(own.events / milliseconds)} k markers/s`
  for (let round = 0; round < rounds; round++) {
    const postgres = await makeDatabase(engine, `appends${round}`)
    const bare = await loadBare(postgres, own)
    await migrate(postgres)
    const cluster = openCluster(postgres, { url: clickHouse, database: `appends${round}` }, defaults.dedupeDays)
    const taken = await loadCluster(cluster, own)
    await settleCluster(cluster, cohortId, [])
    await cluster.dispose()
    ratios.push(bare / taken)
    console.log(
      `append of 1000 markers, 8 at a time: ${rate(taken)}, bare insert ${rate(bare)}, ratio ${(bare / taken).toFixed(2)}`
    )
  }
  console.log(`append beside a bare insert: median ratio ${median(ratios).toFixed(2)} (aim at least 0.5)`)
}

const ofCluster = async (folder: string, postgres: string, clickHouse: string): Promise<void> => {
  await migrate(postgres)
  const address = { url: clickHouse, database: "gamekeeper" }
  const receiving = openCluster(postgres, address, defaults.dedupeDays)
  await loadCluster(receiving, size)
  await receiving.dispose()
  const cluster = openCluster(postgres, address, always)
  await settleCluster(cluster, cohortId, cohort(size.players))
  await ofQuestions(folder, cluster, clickHouse)
  await cluster.dispose()
}

const ofQuestions = async (folder: string, cluster: ReturnType<typeof openCluster>, url: string): Promise<void> => {
  const file = join(folder, "events.sqlite")
  await loadOurs(file, size, 1000, 8)
  const store = await openOurs(file)
  await maintain(store)
  await setCohort(store, cohortId, cohort(size.players))
  const raw = createClient({ url, request_timeout: 600_000, log: { level: ClickHouseLogLevel.ERROR } })
  const sqlOf = chdbQuestions(size.players)
  const ratios: Record<"store" | "raw" | "own", Array<number>> = { store: [], raw: [], own: [] }
  console.log(`${"question".padEnd(54)}cluster   SQLite  raw SQL    same  of SQLite of raw SQL    of same`)
  for (const [at, { name, question }] of questions(size.players).entries()) {
    const [own, other] = [(await ask(store, question)).answer, await askCluster(cluster, question)]
    const same = isDeepStrictEqual(unnumbered(other), unnumbered(own)) ? "" : "  DIFFERS"
    const inSql = async (query: string) => (await raw.query({ query, format: "JSONCompactEachRow" })).text()
    const [bestTable, ownTable] = [sqlOf[at]!, ofOwnTable(sqlOf[at]!, "gamekeeper")]
    const times: Record<"cluster" | "store" | "raw" | "own", Array<number>> = {
      cluster: [],
      store: [],
      raw: [],
      own: []
    }
    for (let round = 0; round < rounds; round++) {
      times.cluster.push(await timed(() => askCluster(cluster, question)))
      times.store.push(await timed(() => ask(store, question)))
      times.raw.push(await timed(() => inSql(bestTable)))
      times.own.push(await timed(() => inSql(ownTable)))
    }
    const [here, there] = [median(times.cluster), median(times.store)]
    const beside = { store: here / there, raw: here / median(times.raw), own: here / median(times.own) }
    ratios.store.push(beside.store)
    ratios.raw.push(beside.raw)
    ratios.own.push(beside.own)
    const shown = [here, there, median(times.raw), median(times.own)]
      .map((each) => each.toFixed(1).padStart(9))
      .join("")
    const factors = [beside.store, beside.raw, beside.own].map((each) => `x${each.toFixed(1)}`.padStart(11)).join("")
    console.log(`${String(at + 1).padStart(2)} ${name.padEnd(49)}${shown}${factors}${same}`)
  }
  await raw.close()
  await close(store)
  console.log(
    `beside SQLite: mean x${geometric(ratios.store).toFixed(1)}, most x${Math.max(...ratios.store).toFixed(1)} of its time (no aim: ` +
      `one machine is faster until it is full; answers are equal where no line says DIFFERS)`
  )
  const told = (own: ReadonlyArray<number>): string =>
    `mean x${geometric(own).toFixed(1)}, most x${Math.max(...own).toFixed(1)}`
  console.log(
    `beside ClickHouse's own functions, exact where ours are or not: ${told(ratios.own)} of their time over the same table (aim within x3), ` +
      `${told(ratios.raw)} over one that has a column for each argument`
  )
}

/** Microseconds that a process has worked so far. */
const workedMicros = (pid: number | undefined): number => {
  const fields = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "").split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Transactions of a database so far. */
const transactionsOf = async (postgres: string): Promise<number> => {
  const client = new Client({ connectionString: postgres })
  await client.connect()
  const { rows } = await client.query<{ readonly count: string }>(
    "select xact_commit as count from pg_stat_database where datname = current_database()"
  )
  await client.end()
  return Number(rows[0]?.count)
}

const ofPolls = async (folder: string, postgres: string, clickHouse: string): Promise<void> => {
  const env = {
    GAMEKEEPER_METADATA: postgres,
    GAMEKEEPER_EVENTS: `clickhouse://${new URL(clickHouse).host}/polls`
  }
  const servers = [await startServer(folder, [], env), await startServer(folder, [], env)]
  const call = fetchRequest(servers[0]!.url)
  const studio = await openStudio(call, "bench")
  await fillConfigurations(call, studio)
  const authorization = await mintKey(call, studio, { type: "public" })
  const { hash } = (await call("GET", "/sdk/v2/status", { headers: { authorization } })).body
  const urls = servers.map(({ url }) => `${url}/sdk/v2/status?hash=${hash}`)
  // Each process has as many connections whether or not the other one is asked, as each answers together what came together.
  const load = (some: ReadonlyArray<string>) =>
    pollsPerSecond(some, { authorization }, Number(values.seconds), connections * some.length)
  /** Microseconds that the processes work for a poll. */
  const cost = async (some: ReadonlyArray<string>): Promise<number> => {
    const worked = () => servers.reduce((sum, { process: { pid } }) => sum + workedMicros(pid), 0)
    const [began, started] = [worked(), performance.now()]
    const rate = await load(some)
    return (worked() - began) / ((rate * (performance.now() - started)) / 1000)
  }
  await load(urls)
  const [alone, both]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < rounds; round++) {
    alone.push(await load(urls.slice(0, 1)))
    both.push(await load(urls))
  }
  const [one, two] = [median(alone), median(both)]
  console.log(
    `polls: ${Math.round(one)}/s of one process, ${Math.round(two)}/s of two, ratio ${(two / one).toFixed(2)} (aim near 2 where two cores are free)`
  )
  const cores = availableParallelism()
  if (cores < 4)
    console.log(`  this machine has ${cores} cores for both processes, the databases and who polls: not two free ones`)
  const [ofOne, ofTwo]: [Array<number>, Array<number>] = [[], []]
  const asked = await transactionsOf(postgres)
  for (let round = 0; round < rounds; round++) {
    ofOne.push(await cost(urls.slice(0, 1)))
    ofTwo.push(await cost(urls))
  }
  const committed = (await transactionsOf(postgres)) - asked
  const [single, double] = [median(ofOne), median(ofTwo)]
  console.log(
    `  a poll costs ${single.toFixed(0)} us of a processor with one process that is asked, ${double.toFixed(0)} with two; both together commit ` +
      `${Math.round(committed / (2 * rounds * Number(values.seconds)))} transactions a second meanwhile, so that with a core for each two answer x${((2 * single) / double).toFixed(2)} (aim at least 1.8)`
  )
  for (const server of servers) await server.stop()
}

const main = async (): Promise<void> => {
  if (!isChdbThere()) {
    console.log("PostgreSQL and ClickHouse are missing: `node test/cluster/install.mjs` installs them")
    process.exitCode = 1
    return
  }
  setup()
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-cluster-bench-"))
  const [postgresFolder, clickHouseFolder] = [
    mkdtempSync(join(tmpdir(), "gamekeeper-postgres-")),
    join(folder, "clickhouse")
  ]
  console.log(
    `${events} markers; load of the machine before: ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`
  )
  if (parts.has("questions")) await loadChdb(clickHouseFolder, size)
  const engine = await startEngine(postgresFolder, { fsync: "on", full_page_writes: "on" })
  const clickHouse = await startClickHouse(clickHouseFolder)
  const address = addressOf(postgresFolder)
  try {
    if (parts.has("append")) await ofAppends(address, clickHouse.url)
    if (parts.has("questions")) await ofCluster(folder, await makeDatabase(address, "markers"), clickHouse.url)
    if (parts.has("polls")) await ofPolls(folder, await makeDatabase(address, "polls"), clickHouse.url)
  } finally {
    await clickHouse.end("SIGTERM")
    await endEngine(engine)
    for (const each of [folder, postgresFolder]) rmSync(each, { recursive: true, force: true })
  }
}

await main()
process.exit()
