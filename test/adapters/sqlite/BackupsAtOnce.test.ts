import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { backUp } from "../../../src/adapters/sqlite/operations/Backup.ts"
import { completeBackups } from "../../../src/adapters/sqlite/operations/StoredBackup.ts"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { serverOver } from "../../support/operations/DamageWorld.ts"
import { withFolder } from "../../support/Server.ts"

/** A clock that moves once in 50 ms, so that many things happen at one of its instants. */
const coarse: Clock.Clock = Object.assign(Clock.make(), {
  currentTimeMillis: Effect.sync(() => Math.floor(Date.now() / 50) * 50)
})

describe("backups of several servers into one folder", () => {
  it("are all there, also of one instant, and leave nothing else", { timeout: 60_000 }, () =>
    withFolder(async (parent) => {
      const [data, to] = [join(parent, "data"), join(parent, "backups")]
      const server = serverOver(data)
      await laboratoryOf(server.request, "ada")
      await server.close()
      const backUps = Effect.replicateEffect(backUp({ data, to, version: "1", keep: null }), 6, {
        concurrency: "unbounded"
      })
      const made = await Effect.runPromise(Effect.provide(Effect.withClock(backUps, coarse), NodeContext.layer))
      const names = made.map(({ name }) => name).toSorted()
      assert.lengthOf(new Set(names), 6)
      assert.deepStrictEqual(readdirSync(to).toSorted(), names)
      const complete = await Effect.runPromise(Effect.provide(completeBackups(to), NodeContext.layer))
      assert.deepStrictEqual(
        complete.map(({ name }) => name),
        names
      )
    })
  )
})
