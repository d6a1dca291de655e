// `npm run sdk:torture -- --markers 10000 --kills 20`: whether every marker is stored exactly once, through a network that harms a third of the
// requests and a game that is killed again and again. Prints the size of the client too, and what a start costs until a value can be read.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { gzipSync } from "node:zlib"
import { seeded } from "../support/Seeded.ts"
import { root, withFolder } from "../support/Server.ts"
import { startBudget } from "../support/sdk/StartBudget.ts"
import { torture } from "../support/sdk/Torture.ts"

const { values } = parseArgs({
  options: {
    markers: { type: "string", default: "10000" },
    kills: { type: "string", default: "20" },
    seed: { type: "string", default: "1" }
  }
})
const [markers, kills] = [Number(values.markers), Number(values.kills)]
const starts = 7

/** Prints a figure with its limit, and whether it is met. */
const line = (what: string, value: number, limit: number, unit: string) => {
  const isMet = value <= limit
  console.log(`${what}: ${value}${unit}, limit ${limit}${unit}: ${isMet ? "met" : "missed"}`)
  return isMet
}

await withFolder(async (folder) => {
  const { isSent, stored, harms, requests } = await torture(folder, {
    markers,
    kills,
    chance: seeded(Number(values.seed))
  })
  const [total, units] = stored
  const harmed = Object.values(harms).reduce((sum, each) => sum + each, 0)
  const share = ((100 * harmed) / requests).toFixed(1)
  console.log(
    `${markers} markers, ${kills} kills, ${harmed} of ${requests} requests harmed (${share} %): ${JSON.stringify(harms)}`
  )
  console.log(`the server has ${total} markers of ${units} players, aim ${markers} of ${markers}`)
  for (const name of ["browser", "node"]) {
    const bytes = gzipSync(readFileSync(join(root, "dist/sdk", `${name}.mjs`))).length
    line(`${name}, gzipped`, Number((bytes / 1000).toFixed(1)), 12, " KB")
  }
  const { cpuMillis, withoutCopy, withCopy } = await startBudget(folder, starts)
  for (const [name, millis] of Object.entries(cpuMillis)) {
    line(`${name}, loaded and made (processor time, median of ${starts})`, Number(millis.toFixed(1)), 20, " ms")
  }
  const areMet = [
    line("first value without a copy, requests", withoutCopy.requests, 1, ""),
    line("first value without a copy, bytes", withoutCopy.sentBytes + withoutCopy.receivedBytes, 2000, ""),
    line("first value with a copy, answers waited for, in bytes", withCopy.receivedBytes, 0, "")
  ]
  const areRead = withoutCopy.price === 5 && withCopy.price === 5
  if (!isSent || total !== markers || units !== markers || !areRead || areMet.includes(false)) process.exitCode = 1
})
process.exit()
