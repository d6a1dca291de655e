// `npm run bench`: one benchmark after the other, and docs/benchmarks.md of what all of them found. One that fails is named there, and the
// others go on. What was found is kept in test/bench/results.json, so that any of them can be repeated alone (`--only`) and a run that was cut off can go
// on (`--resume`). The figures of another machine are not kept beside those of this one.
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { root } from "../support/Server.ts"
import { isChdbThere } from "./Chdb.ts"
import { type Benchmark, benchmarks } from "./report/Benchmarks.ts"
import { document, mustHoldTable, withQuotes } from "./report/Document.ts"
import { rowsVariable } from "./report/Hand.ts"
import { commit, machine } from "./report/Machine.ts"
import { gathered, type Measured, ofMachine, readResults, writeResults } from "./report/Results.ts"
import { benchFolder } from "./folders/Stores.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string" },
    rounds: { type: "string" },
    sizes: { type: "string" },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    resume: { type: "boolean", default: false },
    /** Only writes the document of what is known. */
    render: { type: "boolean", default: false },
    results: { type: "string" },
    document: { type: "string" }
  }
})

const isQuick = values.quick
const events = Number(values.events ?? (isQuick ? "1e5" : "1e7"))
const rounds = Number(values.rounds ?? (isQuick ? "1" : "5"))
const resultsFile =
  values.results ?? (isQuick ? join(benchFolder, "quick.json") : join(root, "test/bench/results.json"))
const documentFile = values.document ?? (isQuick ? join(benchFolder, "quick.md") : join(root, "docs/benchmarks.md"))
const sizes = values.sizes ?? [events / 10, events].join(",")
const plan = { events, rounds, sizes, isQuick }

if (![events, rounds, ...sizes.split(",").map(Number)].every((number) => Number.isInteger(number) && number > 0)) {
  console.error("--events, --rounds and each of --sizes are whole numbers above 0, such as 1e6")
  process.exit(2)
}

const chosen = (): ReadonlyArray<Benchmark> => {
  if (values.only === undefined) return benchmarks.filter(({ isQuickToo }) => isQuickToo || !isQuick)
  const names = values.only.split(",")
  const unknown = names.filter((name) => !benchmarks.some((each) => each.name === name))
  if (unknown.length === 0) return benchmarks.filter(({ name }) => names.includes(name))
  console.error(
    `There is no benchmark ${unknown.join(", ")}; there are ${benchmarks.map(({ name }) => name).join(", ")}`
  )
  process.exit(2)
}

/** Why it did not run to its end; null if it did. */
const run = ({ script, args, minutes }: Benchmark, rowsFile: string): Promise<string | null> =>
  new Promise((resolve) => {
    const command = ["--import", "tsx", join(root, "test/bench", script), ...args(plan)]
    const env = { ...process.env, [rowsVariable]: rowsFile }
    // A group of its own: with it end the servers that it has started.
    const child = spawn(process.execPath, command, { cwd: root, env, stdio: "inherit", detached: true })
    const end = () => {
      try {
        process.kill(-(child.pid ?? 0), "SIGKILL")
      } catch {
        // All of the group have ended.
      }
    }
    const endAll = () => {
      end()
      process.exit(130)
    }
    let reason: string | null = null
    const limit = setTimeout(() => {
      reason = `cut off after ${minutes} minutes`
      end()
    }, minutes * 60_000)
    process.once("SIGINT", endAll).once("SIGTERM", endAll)
    child.once("close", (code, signal) => {
      clearTimeout(limit)
      process.off("SIGINT", endAll).off("SIGTERM", endAll)
      end()
      resolve(reason ?? (code === 0 ? null : `failed with ${code ?? signal}`))
    })
  })

const measured = async (benchmark: Benchmark): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-bench-rows-"))
  const rowsFile = join(folder, "rows")
  writeFileSync(rowsFile, "")
  const [began, load] = [performance.now(), loadavg()[0] ?? 0]
  const day = new Date().toISOString().slice(0, 10)
  const failure = await run(benchmark, rowsFile)
  const handed = gathered(readFileSync(rowsFile, "utf8"))
  rmSync(folder, { recursive: true, force: true })
  const seconds = Math.round((performance.now() - began) / 1000)
  return { ...handed, failure, day, seconds, events: benchmark.eventsOf(plan), rounds, load, commit: commit() }
}

/** Writes what is known so far: a run that is cut off has its table too. */
const write = () => {
  const results = readResults(resultsFile)
  writeFileSync(documentFile, document(results))
  const readme = join(root, "README.md")
  if (values.document === undefined && !isQuick)
    writeFileSync(readme, withQuotes(readFileSync(readme, "utf8"), results))
}

const isDone = (name: string): boolean => {
  if (!values.resume) return false
  const known = ofMachine(readResults(resultsFile), machine()).benches[name]
  const wanted = benchmarks.find((each) => each.name === name)?.eventsOf(plan)
  return known?.failure === null && known.events === wanted && known.rounds === rounds
}

// ClickHouse is a peer in half of the table; where it cannot be had, its lines say that they were not measured.
if (!values.render && !isChdbThere())
  spawnSync(process.execPath, [join(root, "test/cluster/install.mjs")], { stdio: "inherit" })

const failed: Array<string> = []
if (values.render && Object.keys(readResults(resultsFile).benches).length === 0) {
  console.error(`${resultsFile} has no figures to write a page of`)
  process.exit(2)
}

for (const benchmark of values.render ? [] : chosen()) {
  const { name } = benchmark
  if (isDone(name)) {
    console.log(`${name} is there from an earlier run`)
    continue
  }
  console.log(`\n── ${name}: ${benchmark.does}`)
  const found = await measured(benchmark)
  if (found.failure !== null) failed.push(`${name} ${found.failure}`)
  console.log(`── ${name}: ${found.failure ?? "complete"}, ${found.seconds} s`)
  const here = machine()
  const { benches } = ofMachine(readResults(resultsFile), here)
  const order = benchmarks.map((each) => each.name)
  const all = Object.entries({ ...benches, [name]: found }).toSorted(
    ([one], [two]) => order.indexOf(one) - order.indexOf(two)
  )
  writeResults(resultsFile, { machine: here, benches: Object.fromEntries(all) })
  write()
}
write()
console.log(`\n${mustHoldTable(readResults(resultsFile))}\n`)
console.log(`${documentFile} has all figures; ${resultsFile} keeps them`)
if (failed.length > 0) console.error(`Not all of it ran: ${failed.join("; ")}`)
process.exit(failed.length === 0 ? 0 : 1)
