import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { DuckDBConnection } from "@duckdb/node-api"
import { setup } from "../support/Workers.ts"
import { type Chdb, chdbNumbers, isChdbThere, loadChdb, openChdb } from "./Chdb.ts"
import { chdbQuestions } from "./ChdbQuestions.ts"
import { loadDuck, openDuck } from "./Duck.ts"
import type { Size } from "./Generate.ts"
import { ask, close, loadOurs, maintain, openOurs, setCohort } from "./Ours.ts"
import { cohort, cohortId, longFunnel, questions, shortFunnel } from "./Questions.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1e7" },
    rounds: { type: "string", default: "5" },
    directory: { type: "string", default: join(tmpdir(), "gamekeeper-bench") },
    fresh: { type: "string" },
    only: { type: "string" },
    cold: { type: "string" }
  }
})

const events = Number(values.events)
const size: Size = { events, players: Math.max(1000, Math.round(events / 100)) }
const directory = join(values.directory, String(events))
const files = {
  ours: join(directory, "events.sqlite"),
  sorted: join(directory, "sorted.duckdb"),
  arrival: join(directory, "arrival.duckdb"),
  chdb: join(directory, "chdb")
}

const median = (times: ReadonlyArray<number>): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
const geometric = (ratios: ReadonlyArray<number>): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
const bytes = (file: string): number =>
  [file, `${file}-wal`].reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0)
const show = (text: string, width: number): string => text.padStart(width)

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await run()
  return performance.now() - started
}

const duckNumbers = async (
  connection: DuckDBConnection,
  sql: string
): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const reader = await connection.runAndReadAll(sql)
  return reader.getRows().map((row) => row.map(Number))
}

/** The first question of a process that has been up for a second: its threads are ready, nothing is decoded. */
const cold = async (engine: string, at: number): Promise<void> => {
  const { question, sql } = questions(size.players)[at]!
  if (engine === "ours") {
    const store = await openOurs(files.ours)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    console.log(await timed(() => ask(store, question)))
    await close(store)
  } else {
    const connection = await openDuck(engine === "sorted" ? files.sorted : files.arrival, "READ_ONLY")
    console.log(await timed(() => connection.runAndReadAll(sql)))
  }
}

const coldRun = (engine: string, at: number): number => {
  const script = process.argv[1] ?? ""
  const args = ["--import", "tsx", script, "--events", values.events, "--directory", values.directory]
  const { stdout } = spawnSync(process.execPath, [...args, "--cold", `${engine}:${at}`], { encoding: "utf8" })
  return Number(stdout.trim())
}

const load = async (): Promise<void> => {
  await loadStores()
  if (isChdbThere() && !existsSync(files.chdb)) await loadChdb(files.chdb, size)
}

const loadStores = async (): Promise<void> => {
  if (existsSync(directory) && values.fresh === undefined) return
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const rate = (milliseconds: number) => `${Math.round(events / milliseconds)} k events/s`
  console.log(`ingest, ours, batches of 1000, 8 requests at a time: ${rate(await loadOurs(files.ours, size, 1000, 8))}`)
  const store = await openOurs(files.ours)
  await maintain(store)
  await setCohort(store, cohortId, cohort(size.players))
  await close(store)
  console.log(`bytes per event within the dedupe window: ${(bytes(files.ours) / events).toFixed(1)}`)
  console.log(`ingest, DuckDB appender: ${rate(await loadDuck(files.arrival, size, false))}`)
  await loadDuck(files.sorted, size, true)
}

const checked = (name: string, ours: ReadonlyArray<number>, duck: ReadonlyArray<ReadonlyArray<number>>): string => {
  const sum = (all: ReadonlyArray<number>) => all.reduce((total, value) => total + (Number.isNaN(value) ? 0 : value), 0)
  const own = sum(ours)
  const columns = duck[0]?.map((_, column) => sum(duck.map((row) => row[column]!))) ?? []
  const width = columns.length
  const candidates = [...columns, columns.reduce((a, b) => a + b, 0), sum(columns.slice(1)), duck.length]
  const agrees = candidates.some((value) => Math.abs(value - own) <= 1e-6 * Math.abs(own))
  return agrees ? "" : `  DIFFERS: ${name} ours ${own} duck ${candidates.join(" ")} (${width})`
}

const main = async (): Promise<void> => {
  setup()
  await load()
  const store = await openOurs(files.ours)
  const [sorted, arrival] = [await openDuck(files.sorted, "READ_ONLY"), await openDuck(files.arrival, "READ_ONLY")]
  const chdb: Chdb | null = isChdbThere() ? openChdb(files.chdb) : null
  if (chdb === null) console.log("ClickHouse is left out: `node test/cluster/install.mjs` installs it")
  const ratios: Record<string, Array<number>> = { sorted: [], arrival: [], cold: [], chdb: [] }
  console.log(
    `${"question".padEnd(52)} ours cold/warm   sorted cold/warm   arrival cold/warm    chdb   ratio sorted/arrival/chdb/cold`
  )
  for (const [at, { name, question, sql, ours }] of questions(size.players).entries()) {
    if (values.only !== undefined && !values.only.split(",").includes(String(at + 1))) continue
    const first = { ours: coldRun("ours", at), sorted: coldRun("sorted", at), arrival: coldRun("arrival", at) }
    const times: Record<string, Array<number>> = { ours: [], sorted: [], arrival: [], chdb: [] }
    const { answer } = await ask(store, question)
    const problem = checked(name, ours(answer), await duckNumbers(sorted, sql))
    await arrival.runAndReadAll(sql)
    const clickHouseSql = chdbQuestions(size.players)[at]!
    const other = chdb === null ? "" : checked(`${name}, chdb`, ours(answer), chdbNumbers(chdb, clickHouseSql))
    for (let round = 0; round < Number(values.rounds); round++) {
      times["ours"]!.push(await timed(() => ask(store, question)))
      times["sorted"]!.push(await timed(() => sorted.runAndReadAll(sql)))
      times["arrival"]!.push(await timed(() => arrival.runAndReadAll(sql)))
      if (chdb !== null) times["chdb"]!.push(await timed(async () => chdb.query(clickHouseSql, "Native")))
    }
    const warm = { ours: median(times["ours"]!), sorted: median(times["sorted"]!), arrival: median(times["arrival"]!) }
    const clickHouse = chdb === null ? NaN : median(times["chdb"]!)
    ratios["chdb"]!.push(clickHouse / warm.ours)
    ratios["sorted"]!.push(warm.sorted / warm.ours)
    ratios["arrival"]!.push(warm.arrival / warm.ours)
    ratios["cold"]!.push(first.ours / first.sorted)
    const pair = (one: number, two: number) => show(`${one.toFixed(0)} / ${two.toFixed(1)}`, 16)
    console.log(
      `${String(at + 1).padStart(2)} ${name.padEnd(49)}${pair(first.ours, warm.ours)}${pair(first.sorted, warm.sorted)}${pair(first.arrival, warm.arrival)}${show(clickHouse.toFixed(1), 8)}   x${(warm.sorted / warm.ours).toFixed(1)} x${(warm.arrival / warm.ours).toFixed(1)} x${(clickHouse / warm.ours).toFixed(1)} cold ${(first.ours / first.sorted).toFixed(2)}${problem}${other}`
    )
  }
  const least = (engine: string) => `x${Math.min(...ratios[engine]!).toFixed(2)}`
  const mean = (engine: string) => `x${geometric(ratios[engine]!).toFixed(2)}`
  console.log(`beside DuckDB sorted: mean ${mean("sorted")} (aim 10), least ${least("sorted")} (aim 3)`)
  console.log(`beside DuckDB in order of arrival: mean ${mean("arrival")} (aim 14), least ${least("arrival")}`)
  console.log(`beside ClickHouse: mean ${mean("chdb")} (aim 8), least ${least("chdb")} (aim 1.5)`)
  const coldest = Math.max(...ratios["cold"]!).toFixed(2)
  console.log(
    `first question beside DuckDB's: mean ${mean("cold")} (aim at most 0.6), most x${coldest} (aim at most 1.5)`
  )
  const funnels: Record<string, Array<number>> = { long: [], short: [] }
  for (let round = 0; round < Number(values.rounds); round++) {
    funnels["long"]!.push(await timed(() => ask(store, longFunnel)))
    funnels["short"]!.push(await timed(() => ask(store, shortFunnel)))
  }
  const longer = median(funnels["long"]!) / median(funnels["short"]!)
  console.log(`funnel of 32 steps beside one of 3 over the same markers: x${longer.toFixed(2)} (aim at most 3)`)
  chdb?.close()
  await close(store)
  const past = await openOurs(files.ours, 0)
  await maintain(past)
  await close(past)
  console.log(`bytes per event past the dedupe window: ${(bytes(files.ours) / events).toFixed(1)}`)
  console.log(`resident memory of this process, DuckDB included: ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
}

if (values.cold === undefined) await main()
else {
  const [engine, at] = values.cold.split(":")
  await cold(engine ?? "", Number(at))
}
