import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MetadataDb } from "../../../src/adapters/sqlite/MetadataDb.ts"
import { MetadataLog } from "../../../src/adapters/sqlite/MetadataGuard.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "metadata-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

describe("the log of the metadata", () => {
  it.scopedLive("is emptied in a turn of its own, so that nobody waits for it and for commits at once", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "metadata.sqlite")
      yield* Effect.gen(function* () {
        const log = yield* MetadataLog
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table kept (name text)`
        const bytes = () => statSync(`${file}-wal`).size
        const before = bytes()
        /** Its bytes at each turn that others get meanwhile. */
        const seen: Array<number> = []
        let turn = setImmediate(function next() {
          seen.push(bytes())
          turn = setImmediate(next)
        })
        yield* log.empty
        clearImmediate(turn)
        assert.isBelow(bytes(), before)
        assert.deepStrictEqual([seen.at(0), seen.at(-1)], [before, bytes()])
      }).pipe(Effect.provide(MetadataDb(file)))
    })
  )
})
