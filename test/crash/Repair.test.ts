import { assert, describe, it } from "@effect/vitest"
import { NodeContext } from "@effect/platform-node"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { examine } from "../../src/adapters/sqlite/operations/Doctor.ts"
import { linesOf, repair } from "../../src/adapters/sqlite/salvage/Repair.ts"
import { answersOf, buildWorld, copyFolder, serverOver } from "../support/operations/DamageWorld.ts"
import { damages, described, doDamage } from "../support/operations/Damages.ts"
import { runCount } from "../support/Runs.ts"
import { seeded } from "../support/Seeded.ts"
import { withFolder } from "../support/Server.ts"

const count = Number(process.env["GAMEKEEPER_DAMAGES"] ?? runCount(12))
const seed = Number(process.env["GAMEKEEPER_TEST_SEED"] ?? 1)

const hashes = (folder: string) =>
  readdirSync(folder)
    .toSorted()
    .map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")
    ])

const repaired = (data: string, to: string) =>
  Effect.runPromise(repair({ data, to }).pipe(Effect.provide(NodeContext.layer)))

/** What the doctor finds wrong in a folder. */
const problemsIn = async (folder: string) =>
  (await Effect.runPromise(examine(folder, true, 36_500).pipe(Effect.provide(NodeContext.layer))))
    .filter(({ isGood }) => !isGood)
    .map(({ text }) => text)
    .filter((text) => !text.startsWith("Only "))

describe("repairing a damaged folder", () => {
  it("keeps everything of a sound one", { timeout: 120_000 }, () =>
    withFolder(async (folder) => {
      const world = await buildWorld(folder)
      for (const base of ["closed", "killed"] as const) {
        const to = join(folder, `new-${base}`)
        const { losses, notes } = await repaired(world[base], to)
        assert.deepStrictEqual([losses, notes], [[], []])
        assert.deepStrictEqual(await problemsIn(to), [])
        const copy = join(folder, "copy")
        copyFolder(world[base], copy)
        const [old, fresh] = [serverOver(copy), serverOver(to)]
        const expected = await answersOf(world, base, old.request).finally(old.close)
        const heard = await answersOf(world, base, fresh.request).finally(fresh.close)
        assert.deepStrictEqual(heard, expected)
        assert.deepStrictEqual(fresh.errors, [])
        assert.deepStrictEqual(await problemsIn(to), [])
      }
    })
  )

  it("leaves a folder that a server starts with and the doctor finds sound", { timeout: 60_000 + count * 20_000 }, () =>
    withFolder(async (folder) => {
      const world = await buildWorld(folder)
      const copy = join(folder, "copy")
      const tally: Record<string, number> = {}
      for (const [turn, damage] of [...damages(count, seeded(seed))].entries()) {
        const to = join(folder, `new-${turn}`)
        copyFolder(world[damage.base], copy)
        doDamage(copy, damage)
        const before = hashes(copy)
        try {
          const report = await repaired(copy, to).catch((cause: unknown) => String(cause))
          assert.deepStrictEqual(hashes(copy), before)
          if (typeof report === "string") {
            assert.match(report, /cannot be salvaged/)
            assert.strictEqual(damage.file, "metadata.sqlite")
            tally["refused"] = (tally["refused"] ?? 0) + 1
            continue
          }
          const lines = linesOf(report)
          // A log of changes with a gap stays one: whoever looks for what was changed has to know.
          const isOfAudit = (text: string) => text.startsWith("The log of changes of organization")
          const problems = await problemsIn(to)
          assert.deepStrictEqual(
            problems.filter((text) => !isOfAudit(text)),
            []
          )
          if (problems.length > 0) assert.isTrue(lines.some((line) => /audit_|log of metadata/.test(line)))
          const { request, close } = serverOver(to)
          const heard = await answersOf(world, damage.base, request).finally(close)
          const failed = Object.entries(heard).filter(([, { essence }]) => essence.startsWith("5"))
          assert.deepStrictEqual(failed, [])
          const outcome = lines.length === 0 ? "nothing lost" : "said"
          tally[outcome] = (tally[outcome] ?? 0) + 1
        } catch (cause) {
          throw new Error(described(damage), { cause })
        }
      }
      process.stdout.write(`${JSON.stringify(tally)}\n`)
    })
  )

  it("refuses a target with something in it, and a folder that is not whole", () =>
    withFolder(async (folder) => {
      const [data, to] = [join(folder, "data"), join(folder, "to")]
      mkdirSync(data)
      const refusal = (wish: { readonly data: string; readonly to: string }) =>
        Effect.runPromise(Effect.flip(repair(wish)).pipe(Effect.provide(NodeContext.layer)))
      assert.match((await refusal({ data, to })).message, /metadata\.sqlite is missing/)
      const { close, request } = serverOver(data)
      await request("GET", "/health")
      await close()
      for (const within of [join(data, "sub"), data])
        assert.match((await refusal({ data, to: within })).message, /is in the damaged one/)
      assert.isFalse(existsSync(join(data, "sub")))
      mkdirSync(to)
      cpSync(join(data, "metadata.sqlite"), join(to, "something"))
      assert.match((await refusal({ data, to })).message, /is not empty \(something\)/)
      assert.deepStrictEqual(readdirSync(to), ["something"])
    }))
})
