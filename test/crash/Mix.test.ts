import { assert, it } from "@effect/vitest"
import { killAgainAndAgain } from "../support/operations/KilledServer.ts"
import { runCount } from "../support/Runs.ts"

const count = Number(process.env["GAMEKEEPER_KILLS"] ?? runCount(30))
const seed = Number(process.env["GAMEKEEPER_TEST_SEED"] ?? 30)
const minutes = Number(process.env["GAMEKEEPER_KILL_MINUTES"] ?? 600)
/** Kills of one folder. */
const perSlice = 30

it(
  "Killed under a mix of everything, the server keeps what it acknowledged, and every unit stays in its group",
  { timeout: 60_000 + count * 60_000 },
  async () => {
    const until = Date.now() + minutes * 60_000
    const total: Record<string, number> = {}
    let [kills, whileStarting] = [0, 0]
    for (let slice = 0; kills < count && Date.now() < until; slice++) {
      const part = Math.min(perSlice, count - kills)
      const found = await killAgainAndAgain({ kills: part, seed: seed + slice, clients: 8 })
      assert.strictEqual(found.wrong.join("\n"), "", `seed ${seed + slice}`)
      kills += part
      whileStarting += found.whileStarting
      for (const [name, writes] of Object.entries(found.acknowledged)) total[name] = (total[name] ?? 0) + writes
      const said = `${kills} kills, ${whileStarting} of them while the server started; acknowledged ${JSON.stringify(total)}`
      process.stdout.write(`${said}\n`)
    }
    if (kills >= perSlice) for (const [name, writes] of Object.entries(total)) assert.isAbove(writes, 0, name)
  }
)
