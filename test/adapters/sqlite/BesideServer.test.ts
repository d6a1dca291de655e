import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ClientBesideServer, MetadataBesideServer } from "../../../src/adapters/sqlite/BesideServer.ts"
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

  it.scopedLive("leave to the next start what they write after the server has stopped", () =>
    Effect.gen(function* () {
      const path = yield* file
      const server = yield* Scope.make()
      yield* Scope.extend(Layer.build(MetadataDb(path)), server)
      const write = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Scope.close(server, Exit.void)
        yield* sql`update effect_sql_migrations set created_at = '2026-11-28 00:00:00'`
      })
      yield* Effect.provide(write, ClientBesideServer(path))
      const restarted = yield* Layer.build(MetadataDb(path))
      const read = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`select distinct created_at from effect_sql_migrations`
      )
      assert.deepStrictEqual(yield* Effect.provide(read, restarted), [{ createdAt: "2026-11-28 00:00:00" }])
    })
  )
})
