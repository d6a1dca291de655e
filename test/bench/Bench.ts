// Questions over the same markers beside DuckDB, with rows sorted and in order of arrival, and beside ClickHouse, warm; and what a marker takes
// on disk. Ratios, interleaved.
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { setup } from "../support/Workers.ts"
import { agrees, clickHouseNumbers, duckNumbers } from "./Agreement.ts"
import { type Chdb, isChdbThere, openChdb } from "./Chdb.ts"
import { chdbQuestions } from "./ChdbQuestions.ts"
import { openDuck } from "./Duck.ts"
import { ask, close } from "./Ours.ts"
import { steps } from "./QuestionParts.ts"
import { funnelAt, longFunnel, questions, shortFunnel, timedFunnel } from "./Questions.ts"
import { hand } from "./report/Hand.ts"
import { held } from "./report/MustHold.ts"
import { geometric, median, ratios, shown, timed } from "./report/Numbers.ts"
import { atMost, row } from "./report/Row.ts"
import { benchFolder, loadClickHouse, loadDucks, measurePast, openOwn, storesOf } from "./folders/Stores.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1e7" },
    rounds: { type: "string", default: "5" },
    directory: { type: "string", default: benchFolder },
    fresh: { type: "string" },
    only: { type: "string" }
  }
})

const events = Number(values.events)
const rounds = Number(values.rounds)
const stores = storesOf(events, values.directory)
const { players } = stores.size
const chosen = values.only?.split(",").map(Number)
const isChosen = (at: number): boolean => chosen === undefined || chosen.includes(at + 1)

type Engine = "ours" | "sorted" | "arrival" | "clickHouse"
type Times = Readonly<Record<Engine, Array<number>>>
const peers = ["sorted", "arrival", "clickHouse"] as const

const none = (): Times => ({ ours: [], sorted: [], arrival: [], clickHouse: [] })

/** Rounds that do not count: engines read and decode in the first ones, and ours is compiled by its virtual machine. */
const roundsToWarm = 5

/** Asks everybody in turn, so many times, after the rounds that warm them all. */
const inTurn = async (engines: Readonly<Partial<Record<Engine, () => Promise<unknown>>>>): Promise<Times> => {
  const times = none()
  for (let round = -roundsToWarm; round < rounds; round++)
    for (const engine of ["ours", ...peers] as const) {
      const run = engines[engine]
      if (run === undefined) continue
      const took = await timed(run)
      if (round >= 0) times[engine].push(took)
    }
  return times
}

const tellOfDisk = async (): Promise<void> => {
  if (values.fresh !== undefined) rmSync(join(stores.data, ".."), { recursive: true, force: true })
  const isLoaded = existsSync(stores.told)
  const { ourMilliseconds, duckMilliseconds = Number.NaN } = await loadDucks(stores)
  if (isChdbThere()) await loadClickHouse(stores)
  const { bytesPast = Number.NaN, bytesWithin } = await measurePast(stores)
  const perSecond = (milliseconds: number) => `${shown(events / milliseconds)} k/s`
  const note = `one load each, ${perSecond(ourMilliseconds)} and ${perSecond(duckMilliseconds)}${isLoaded ? ", in an earlier run" : ""}`
  hand([
    held("bytes.within", [bytesWithin]),
    held("bytes.past", [bytesPast]),
    row(
      "store.ingest.whole",
      { what: `All ${shown(events)} markers into the store, batches of 1,000`, peer: "DuckDB's appender" },
      [duckMilliseconds / ourMilliseconds],
      { note }
    )
  ])
}

const leastOfArrival = { what: "14 questions, warm: the least", peer: "DuckDB, in order of arrival" }

/** Peer's median over ours for each question: their geometric mean, and the least of them with the rounds of that question. */
const handRatios = (all: ReadonlyArray<Times>, names: ReadonlyArray<string>): void => {
  const isWhole = all.length === questions(players).length
  const note = isWhole ? "" : `${all.length} of the questions`
  const of = (peer: (typeof peers)[number]) => all.map((times) => median(times[peer]) / median(times.ours))
  const means = (peer: (typeof peers)[number]) =>
    Array.from({ length: rounds }, (_, round) =>
      geometric(all.map((times) => (times[peer][round] ?? Number.NaN) / (times.ours[round] ?? Number.NaN)))
    )
  for (const peer of peers) {
    if (all.every((times) => times[peer].length === 0)) continue
    const mean = { value: geometric(of(peer)), note }
    const least = Math.min(...of(peer))
    const at = of(peer).indexOf(least)
    const worst = { value: least, note: names[at] ?? "" }
    const ofLeast = ratios(all[at]?.[peer] ?? [], all[at]?.ours ?? [])
    hand([
      held(`questions.${peer}.mean`, means(peer), mean),
      peer === "arrival"
        ? row("questions.arrival.least", leastOfArrival, ofLeast, worst)
        : held(`questions.${peer}.least`, ofLeast, worst)
    ])
  }
}

const main = async (): Promise<void> => {
  setup()
  await tellOfDisk()
  const store = await openOwn(stores)
  const [sorted, arrival] = [await openDuck(stores.sorted, "READ_ONLY"), await openDuck(stores.arrival, "READ_ONLY")]
  const chdb: Chdb | null = isChdbThere() ? openChdb(stores.chdb) : null
  if (chdb === null) console.log("ClickHouse is left out: `node test/cluster/install.mjs` installs it")
  const sqlOfClickHouse = chdbQuestions(players)
  const inClickHouse = (at: number) =>
    chdb === null ? {} : { clickHouse: async () => chdb.query(sqlOfClickHouse[at] ?? "", "Native") }
  const all: Array<Times> = []
  const lines: Array<ReadonlyArray<string>> = []
  const different: Array<string> = []
  for (const [at, { name, question, sql, ours }] of questions(players).entries()) {
    if (!isChosen(at)) continue
    // Everybody is asked once before, which also tells whether they agree.
    const numbers = ours((await ask(store, question)).answer)
    if (numbers.every((value) => value === 0)) different.push(`${name}: nothing is there to be compared`)
    if (!agrees(numbers, await duckNumbers(sorted, sql))) different.push(`${name} of DuckDB`)
    if (!agrees(numbers, await duckNumbers(arrival, sql))) different.push(`${name} of DuckDB in order of arrival`)
    if (chdb !== null && !agrees(numbers, clickHouseNumbers(chdb, sqlOfClickHouse[at] ?? "")))
      different.push(`${name} of ClickHouse`)
    const times = await inTurn({
      ours: () => ask(store, question),
      sorted: () => sorted.runAndReadAll(sql),
      arrival: () => arrival.runAndReadAll(sql),
      ...inClickHouse(at)
    })
    all.push(times)
    const over = (peer: (typeof peers)[number]) => shown(median(times[peer]) / median(times.ours))
    const line = [String(at + 1), name, `${shown(median(times.ours))} ms`, ...peers.map(over)]
    console.log(line.join("  "))
    lines.push(line)
  }
  handRatios(
    all,
    lines.map(([, name = ""]) => name)
  )
  hand(
    [
      row(
        "questions.different",
        { what: "Questions whose answers differ from a peer's", aim: atMost(0) },
        [different.length],
        { note: different.join("; ") }
      )
    ],
    [
      {
        title: `Warm questions over ${shown(events)} markers: our time, and the peer's divided by it`,
        heads: ["", "question", "ours", "DuckDB sorted", "DuckDB in order of arrival", "ClickHouse"],
        lines
      }
    ]
  )
  if (isChosen(funnelAt)) {
    const counts = steps((await ask(store, timedFunnel)).answer)
    if (chdb !== null) {
      const isEqual = agrees(counts, clickHouseNumbers(chdb, sqlOfClickHouse[funnelAt] ?? ""))
      const times = await inTurn({ ours: () => ask(store, timedFunnel), ...inClickHouse(funnelAt) })
      const note = isEqual ? `${shown(median(times.ours))} ms, the same counts` : "THE COUNTS DIFFER"
      const value = median(times.clickHouse) / median(times.ours)
      hand([held("questions.funnel", ratios(times.clickHouse, times.ours), { value, note })])
    }
    const [longer, shorter]: [Array<number>, Array<number>] = [[], []]
    for (let round = 0; round < rounds; round++) {
      longer.push(await timed(() => ask(store, longFunnel)))
      shorter.push(await timed(() => ask(store, shortFunnel)))
    }
    hand([
      row(
        "questions.longFunnel",
        { what: "Time of a funnel of 32 steps", peer: "one of 3 over the same markers", aim: atMost(3) },
        ratios(longer, shorter)
      )
    ])
  }
  chdb?.close()
  await close(store)
}

await main()
process.exit()
