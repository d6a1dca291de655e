import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { text } from "./Statements.ts"

/** The settings that all processes over the database have in common. */
export const clusterSettings = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.unsafe(`create table cluster_setting (name ${text} primary key, value ${text} not null)`)
)
