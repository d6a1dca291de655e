import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { PostgresClient } from "../../src/adapters/postgres/Client.ts"
import { refusesOrphans } from "../../src/adapters/postgres/migrations/Statements.ts"
import { refusesBrokenReferences } from "../support/operations/BrokenReferences.ts"
import { freshDatabase } from "../support/cluster/Database.ts"

const inDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.flatMap(freshDatabase, ({ url }) => Effect.provide(effect, PostgresClient({ url, connections: 4 })))

it.scoped("PostgreSQL: a broken reference between rows is a defect of its own, and changes nothing", () =>
  inDatabase(refusesBrokenReferences)
)

it.scoped(
  "PostgreSQL: every column that goes with a record refuses rows without one, also where it is declared again",
  () =>
    inDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(refusesOrphans)
        const without = yield* sql`select objoid::regclass::text || '.' || attname as place from pg_description
        join pg_attribute on attrelid = objoid and attnum = objsubid
        where description like 'goes with %' and not exists (
          select 1 from pg_trigger where tgrelid = objoid and tgname = objoid::regclass::text || '_' || attname || '_is_there'
        )`
        assert.deepStrictEqual(without, [{ place: "assignment_totals.environment_id" }])
      })
    )
)
