// `npm run sdk:torture -- --markers 10000 --kills 20`: whether every marker is stored exactly once, through a network that harms a third of the
// requests and a game that is killed again and again. Prints the size of the client too.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { gzipSync } from "node:zlib"
import { seeded } from "../support/Seeded.ts"
import { root, withFolder } from "../support/Server.ts"
import { torture } from "../support/sdk/Torture.ts"

const { values } = parseArgs({
  options: {
    markers: { type: "string", default: "10000" },
    kills: { type: "string", default: "20" },
    seed: { type: "string", default: "1" }
  }
})
const [markers, kills] = [Number(values.markers), Number(values.kills)]

await withFolder(async (folder) => {
  const { isSent, stored, harms } = await torture(folder, { markers, kills, chance: seeded(Number(values.seed)) })
  const [total, units] = stored
  console.log(`${markers} markers, ${kills} kills, requests harmed: ${JSON.stringify(harms)}`)
  console.log(`the server has ${total} markers of ${units} players, aim ${markers} of ${markers}`)
  for (const name of ["browser", "node"]) {
    const bytes = gzipSync(readFileSync(join(root, "dist/sdk", `${name}.mjs`))).length
    console.log(`${name}: ${(bytes / 1000).toFixed(1)} KB gzipped, aim <= 12`)
  }
  if (!isSent || total !== markers || units !== markers) process.exitCode = 1
})
process.exit()
