import { SqlClient } from "@effect/sql"
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { ReferencesChanged } from "../../../src/ports/operations/ReferencesChanged.ts"

/** A statement that would break a reference between rows, a new row or a removal, dies with `ReferencesChanged` and leaves nothing of its transaction. */
export const refusesBrokenReferences = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table owners (id integer primary key)`
  yield* sql`create table owned (id integer primary key, owner integer not null references owners (id))`
  yield* sql`insert into owners values (1)`
  yield* sql`insert into owned values (1, 1)`
  for (const change of [sql`insert into owned values (2, 7)`, sql`delete from owners where id = 1`]) {
    const within = sql.withTransaction(Effect.zipRight(sql`insert into owners values (2)`, change))
    for (const exit of [yield* Effect.exit(change), yield* Effect.exit(within)])
      assert.instanceOf(Exit.isFailure(exit) ? Cause.squash(exit.cause) : null, ReferencesChanged)
  }
  assert.deepStrictEqual(yield* sql`select id from owners`, [{ id: 1 }])
  assert.deepStrictEqual(yield* sql`select id from owned`, [{ id: 1 }])
})
