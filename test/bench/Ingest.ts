// Markers into the store beside DuckDB's appender: rounds in turn, each into new files. They are made up before, so that nothing can be put in order
// in between that does not count.
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { withFolder } from "../support/Server.ts"
import { setup } from "../support/Workers.ts"
import type { Event } from "../../src/domain/analytics/markers/Event.ts"
import { appendToDuck, openDuck, vectorRows } from "./Duck.ts"
import { generate } from "./Generate.ts"
import { appendAll } from "./Ours.ts"
import { hand } from "./report/Hand.ts"
import { held } from "./report/MustHold.ts"
import { median, ratios, shown } from "./report/Numbers.ts"
import { sizeOf } from "./folders/Stores.ts"

const { values } = parseArgs({
  options: { events: { type: "string", default: "1e6" }, rounds: { type: "string", default: "5" } }
})
const size = sizeOf(Number(values.events))

const all = [...generate(size, 1000)].flat()

const batches = (rows: number): ReadonlyArray<ReadonlyArray<Event>> =>
  Array.from({ length: Math.ceil(all.length / rows) }, (_, at) => all.slice(at * rows, (at + 1) * rows))

setup()
const [ofThousand, ofVector] = [batches(1000), batches(vectorRows)]
await withFolder(async (folder) => {
  const [ours, theirs]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < Number(values.rounds); round++) {
    const files = join(folder, String(round))
    mkdirSync(files)
    ours.push(await appendAll(join(files, "events.sqlite"), ofThousand, 8))
    const connection = await openDuck(join(files, "arrival.duckdb"), "READ_WRITE")
    theirs.push(await appendToDuck(connection, ofVector))
    connection.closeSync()
    rmSync(files, { recursive: true })
  }
  const perSecond = (times: ReadonlyArray<number>) => `${shown(size.events / median(times))} k/s`
  const note = `${shown(size.events)} markers a round, ${perSecond(ours)} and ${perSecond(theirs)}`
  hand([held("store.ingest", ratios(theirs, ours), { note })])
})
process.exit()
