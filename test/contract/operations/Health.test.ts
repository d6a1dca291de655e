import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { Health } from "../../../src/ports/operations/Health.ts"
import { everyStore } from "../../support/Stores.ts"

describe.each(everyStore)("the health of the stores in %s", (_, store) => {
  it.effect("has no problem, again and again, and free bytes only where there is a disk", () =>
    Effect.gen(function* () {
      const health = yield* Health
      const events = yield* EventStore
      for (let look = 0; look < 3; look++) {
        assert.deepStrictEqual(yield* health.metadata, [])
        assert.deepStrictEqual(yield* events.problems, [])
      }
      assert.isNull(yield* health.freeBytes)
      assert.deepStrictEqual(yield* health.fileSizes, [])
    }).pipe(Effect.provide(store))
  )
})

describe("the files of the stores", () => {
  it.effect("are told with their sizes, and no copies of them nor other files of the folder", () =>
    Effect.acquireUseRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "health-"))),
      (folder) => {
        for (const name of ["events.sqlite", "events.sqlite-wal", "metadata.sqlite.copy", "lock"]) {
          writeFileSync(join(folder, name), "12345")
        }
        return Effect.gen(function* () {
          const sizes = yield* (yield* Health).fileSizes
          const told = new Map(sizes.map(({ name, bytes }) => [name, bytes]))
          assert.deepStrictEqual([told.get("events.sqlite"), told.get("events.sqlite-wal")], [5, 5])
          assert.isAbove(told.get("metadata.sqlite") ?? 0, 0)
          assert.isFalse(told.has("metadata.sqlite.copy") || told.has("lock"))
        }).pipe(Effect.provide(SqliteMetadata(join(folder, "metadata.sqlite"))))
      },
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    )
  )
})
