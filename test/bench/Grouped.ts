// Questions with a breakdown, and others that depend on each player's markers, warm, beside DuckDB with its rows sorted. Ratios, interleaved.
import { parseArgs } from "node:util"
import { setup } from "../support/Workers.ts"
import { agrees, duckNumbers } from "./Agreement.ts"
import { openDuck } from "./Duck.ts"
import { benchFolder, loadDucks, openOwn, storesOf } from "./folders/Stores.ts"
import { groupedQuestions } from "./GroupedQuestions.ts"
import { ask, close } from "./Ours.ts"
import { hand } from "./report/Hand.ts"
import { geometric, median, ratios, shown, timed } from "./report/Numbers.ts"
import { atLeast, atMost, row } from "./report/Row.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1e7" },
    rounds: { type: "string", default: "5" },
    directory: { type: "string", default: benchFolder }
  }
})
const rounds = Number(values.rounds)
const stores = storesOf(Number(values.events), values.directory)
/** Rounds that do not count. */
const roundsToWarm = 3

setup()
await loadDucks(stores)
const store = await openOwn(stores)
const duck = await openDuck(stores.sorted, "READ_ONLY")
const different: Array<string> = []
const measured: Array<{ readonly name: string; readonly ours: Array<number>; readonly theirs: Array<number> }> = []
for (const { name, question, sql, ours } of groupedQuestions) {
  const numbers = ours((await ask(store, question)).answer)
  if (numbers.every((value) => value === 0)) different.push(`${name}: nothing is there to be compared`)
  if (!agrees(numbers, await duckNumbers(duck, sql))) different.push(name)
  const times = { name, ours: new Array<number>(), theirs: new Array<number>() }
  for (let round = -roundsToWarm; round < rounds; round++) {
    const [own, other] = [await timed(() => ask(store, question)), await timed(() => duck.runAndReadAll(sql))]
    if (round < 0) continue
    times.ours.push(own)
    times.theirs.push(other)
  }
  console.log(name, shown(median(times.ours)), "ms,", shown(median(times.theirs) / median(times.ours)))
  measured.push(times)
}

const peer = "DuckDB, sorted by environment, type and time"
const of = measured.map(({ ours, theirs }) => median(theirs) / median(ours))
const least = Math.min(...of)
const worst = measured[of.indexOf(least)]
const means = Array.from({ length: rounds }, (_, round) =>
  geometric(measured.map(({ ours, theirs }) => (theirs[round] ?? Number.NaN) / (ours[round] ?? Number.NaN)))
)
hand(
  [
    row(
      "grouped.mean",
      { what: `${of.length} questions by groups or players, warm: geometric mean`, peer, aim: atLeast(3) },
      means,
      {
        value: geometric(of)
      }
    ),
    row(
      "grouped.least",
      { what: `${of.length} questions by groups or players, warm: the least`, peer, aim: atLeast(1) },
      ratios(worst?.theirs ?? [], worst?.ours ?? []),
      {
        value: least,
        note: worst?.name ?? ""
      }
    ),
    row(
      "grouped.different",
      { what: "Questions by groups or players whose answers differ from DuckDB's", aim: atMost(0) },
      [different.length],
      {
        note: different.join("; ")
      }
    )
  ],
  [
    {
      title: `Warm questions by groups or players over ${shown(stores.size.events)} markers: our time, and DuckDB's divided by it`,
      heads: ["question", "ours", "DuckDB sorted"],
      lines: measured.map(({ name, ours, theirs }) => [
        name,
        `${shown(median(ours))} ms`,
        shown(median(theirs) / median(ours))
      ])
    }
  ]
)
await close(store)
process.exit()
