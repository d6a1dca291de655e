import { SqlClient } from "@effect/sql"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { ExclusiveClient } from "../../../src/adapters/sqlite/ExclusiveClient.ts"
import { refusesBrokenReferences } from "../../support/operations/BrokenReferences.ts"

it.effect("SQLite: a broken reference between rows is a defect of its own, and changes nothing", () =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`pragma foreign_keys = on`).pipe(
    Effect.zipRight(refusesBrokenReferences),
    Effect.provide(ExclusiveClient(":memory:"))
  )
)
