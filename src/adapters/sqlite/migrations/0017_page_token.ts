import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** One row tells which state of the database the checksums of its pages describe. */
export const pageToken = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`create table page_token (id integer primary key check (id = 1), token blob not null) strict`
)
