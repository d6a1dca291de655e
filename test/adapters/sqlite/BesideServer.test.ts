import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MetadataBesideServer } from "../../../src/adapters/sqlite/BesideServer.ts"
import { MetadataDb } from "../../../src/adapters/sqlite/MetadataDb.ts"

const file = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "beside-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ),
  (folder) => join(folder, "metadata.sqlite")
)

describe("the tables beside a running server", () => {
  it.scopedLive("are waited for while the server makes them", () =>
    Effect.gen(function* () {
      const path = yield* file
      const beside = yield* Effect.fork(Effect.scoped(Layer.build(MetadataBesideServer(path))))
      yield* Effect.sleep("300 millis")
      yield* Layer.build(MetadataDb(path))
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(beside)))
    })
  )

  it.scopedLive("of a newer version are refused at once", () =>
    Effect.gen(function* () {
      const path = yield* file
      const context = yield* Layer.build(MetadataDb(path))
      const newer = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`insert into effect_sql_migrations (migration_id, name) values (9999, 'newer')`
      )
      yield* Effect.provide(newer, context)
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(MetadataBesideServer(path))))
      assert.match(String(refused.message), /of another version/)
    })
  )
})
