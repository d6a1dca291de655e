import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Layer } from "effect"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { orUnusable } from "../../../src/adapters/sqlite/DataFolder.ts"

const files = { metadata: join(tmpdir(), "metadata.sqlite"), events: join(tmpdir(), "events.sqlite") }

/** What the opening of stores says that ends by this defect. */
const saidOf = (defect: unknown) =>
  Layer.build(orUnusable(files)(Layer.effectDiscard(Effect.die(defect)))).pipe(
    Effect.scoped,
    Effect.sandbox,
    Effect.flip,
    Effect.map(String)
  )

describe("stores whose disk fills while they are opened", () => {
  it.effect("say where there is no room", () =>
    Effect.gen(function* () {
      const cause = new Database.SqliteError("database or disk is full", "SQLITE_FULL")
      const said = `The stores cannot be opened: there is no room on the disk of ${tmpdir()}`
      const written = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
      for (const defect of [cause, written, new SqlError({ cause, message: "Failed to execute statement" })])
        assert.include(yield* saidOf(defect), said)
      assert.include(yield* saidOf(new Error("a bug")), "a bug")
    })
  )
})
