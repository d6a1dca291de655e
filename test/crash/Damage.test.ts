import { assert, it } from "@effect/vitest"
import { join } from "node:path"
import { answersOf, buildWorld, copyFolder, type Heard, serverOver } from "../support/operations/DamageWorld.ts"
import { damages, described, doDamage } from "../support/operations/Damages.ts"
import { runCount } from "../support/Runs.ts"
import { seeded } from "../support/Seeded.ts"
import { withFolder } from "../support/Server.ts"

const count = Number(process.env["GAMEKEEPER_DAMAGES"] ?? runCount(40))
const seed = Number(process.env["GAMEKEEPER_TEST_SEED"] ?? 1)

it(
  "I5: damage of the files and their logs is said aloud, or changes no answer",
  { timeout: 60_000 + count * 20_000 },
  () =>
    withFolder(async (folder) => {
      const world = await buildWorld(folder)
      const copy = join(folder, "copy")
      const asked = async (base: "closed" | "killed") => {
        const { request, close, errors } = serverOver(copy)
        const heard = await answersOf(world, base, request).finally(close)
        return { heard, errors }
      }
      const sound: Record<string, Readonly<Record<string, Heard>>> = {}
      for (const base of ["closed", "killed"] as const) {
        copyFolder(world[base], copy)
        const { heard, errors } = await asked(base)
        assert.deepStrictEqual(errors, [])
        assert.deepStrictEqual(
          Object.entries(heard).filter(([, { essence, isTold }]) => isTold || /^[45]/.test(essence)),
          []
        )
        sound[base] = heard
      }
      const tally: Record<string, Record<string, number>> = {}
      const wrong: Array<string> = []
      for (const damage of damages(count, seeded(seed))) {
        copyFolder(world[damage.base], copy)
        doDamage(copy, damage)
        let outcome = "refused"
        try {
          const { heard } = await asked(damage.base)
          const different = Object.entries(sound[damage.base]!).filter(
            ([name, { essence }]) => heard[name]?.essence !== essence
          )
          outcome = different.length === 0 ? "same" : "told"
          for (const [name, { essence }] of different) {
            if (heard[name]?.isTold === true) continue
            outcome = "wrong"
            wrong.push(`${described(damage)}: ${name}\n${essence.slice(0, 300)}\n${heard[name]?.essence.slice(0, 300)}`)
          }
        } catch (cause) {
          assert.instanceOf(cause, Error)
        }
        const own = (tally[damage.file] ??= {})
        own[outcome] = (own[outcome] ?? 0) + 1
      }
      process.stdout.write(`${JSON.stringify(tally)}\n`)
      assert.deepStrictEqual(wrong, [])
    })
)
