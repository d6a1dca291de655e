// The first question of a process beside DuckDB's: each is asked by several processes that have just been started, in turn.
import { spawnSync } from "node:child_process"
import { parseArgs } from "node:util"
import { setup } from "../support/Workers.ts"
import { openDuck } from "./Duck.ts"
import { ask, close, openOurs } from "./Ours.ts"
import { questions } from "./Questions.ts"
import { hand } from "./report/Hand.ts"
import { held } from "./report/MustHold.ts"
import { geometric, median, shown, timed } from "./report/Numbers.ts"
import { benchFolder, loadDucks, openOwn, storesOf } from "./folders/Stores.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1e7" },
    rounds: { type: "string", default: "5" },
    directory: { type: "string", default: benchFolder },
    only: { type: "string" },
    ask: { type: "string" }
  }
})

const stores = storesOf(Number(values.events), values.directory)
const { players } = stores.size
/** Threads compile what they will be asked; nothing is decoded. A dashboard takes as long until somebody has chosen a question. */
const untilReady = 1000

/** What one of the processes does: prints the milliseconds of its first question. */
const askOnce = async (engine: string, at: number): Promise<void> => {
  const asked = questions(players)[at]
  if (asked === undefined) return
  if (engine === "ours") {
    const store = await openOurs(stores.ours)
    await new Promise((resolve) => setTimeout(resolve, untilReady))
    console.log(await timed(() => ask(store, asked.question)))
    await close(store)
  } else {
    const connection = await openDuck(stores.sorted, "READ_ONLY")
    await new Promise((resolve) => setTimeout(resolve, untilReady))
    console.log(await timed(() => connection.runAndReadAll(asked.sql)))
  }
}

const inProcess = (engine: string, at: number): number => {
  const script = process.argv[1] ?? ""
  const args = ["--import", "tsx", script, "--events", values.events, "--directory", values.directory]
  const { stdout, stderr } = spawnSync(process.execPath, [...args, "--ask", `${engine}:${at}`], { encoding: "utf8" })
  const took = Number.parseFloat(stdout)
  if (Number.isNaN(took)) throw new Error(stderr)
  return took
}

const main = async (): Promise<void> => {
  setup()
  await loadDucks(stores)
  await close(await openOwn(stores))
  const chosen = values.only?.split(",").map(Number)
  const rounds = Number(values.rounds)
  const ofQuestions: Array<number> = []
  const ofRounds: Array<Array<number>> = Array.from({ length: rounds }, () => [])
  const lines: Array<ReadonlyArray<string>> = []
  for (const [at, { name }] of questions(players).entries()) {
    if (chosen !== undefined && !chosen.includes(at + 1)) continue
    const [ours, theirs]: [Array<number>, Array<number>] = [[], []]
    for (const ofRound of ofRounds) {
      const [own, duck] = [inProcess("ours", at), inProcess("sorted", at)]
      ours.push(own)
      theirs.push(duck)
      ofRound.push(own / duck)
    }
    const ratio = median(ours) / median(theirs)
    ofQuestions.push(ratio)
    const line = [String(at + 1), name, `${shown(median(ours))} ms`, `${shown(median(theirs))} ms`, shown(ratio)]
    console.log(line.join("  "))
    lines.push(line)
  }
  const most = ofQuestions.indexOf(Math.max(...ofQuestions))
  const note = chosen === undefined ? "" : `${lines.length} of the questions`
  hand(
    [
      held("first.mean", ofRounds.map(geometric), { value: geometric(ofQuestions), note }),
      held(
        "first.most",
        ofRounds.map((each) => each[most] ?? Number.NaN),
        { value: ofQuestions[most] ?? Number.NaN, note: lines[most]?.[1] ?? "" }
      )
    ],
    [
      {
        title: `First question of a process over ${shown(stores.size.events)} markers: times, and ours divided by DuckDB's`,
        heads: ["", "question", "ours", "DuckDB sorted", "ours ÷ DuckDB's"],
        lines
      }
    ]
  )
}

if (values.ask === undefined) await main()
else {
  const [engine = "", at] = values.ask.split(":")
  await askOnce(engine, Number(at))
}
process.exit()
