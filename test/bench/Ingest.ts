// Markers into the store beside DuckDB's appender: rounds in turn, each into new files.
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { withFolder } from "../support/Server.ts"
import { setup } from "../support/Workers.ts"
import { loadDuck } from "./Duck.ts"
import { loadOurs } from "./Ours.ts"
import { hand } from "./report/Hand.ts"
import { held } from "./report/MustHold.ts"
import { median, ratios, shown } from "./report/Numbers.ts"
import { sizeOf } from "./Stores.ts"

const { values } = parseArgs({
  options: { events: { type: "string", default: "2e6" }, rounds: { type: "string", default: "5" } }
})
const size = sizeOf(Number(values.events))

setup()
await withFolder(async (folder) => {
  const [ours, theirs]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < Number(values.rounds); round++) {
    const files = join(folder, String(round))
    mkdirSync(files)
    ours.push(await loadOurs(join(files, "events.sqlite"), size, 1000, 8))
    theirs.push(await loadDuck(join(files, "arrival.duckdb"), size, false))
    rmSync(files, { recursive: true })
  }
  const perSecond = (times: ReadonlyArray<number>) => `${shown(size.events / median(times))} k/s`
  const note = `${shown(size.events)} markers a round, ${perSecond(ours)} and ${perSecond(theirs)}`
  hand([held("store.ingest", ratios(theirs, ours), { note })])
})
process.exit()
