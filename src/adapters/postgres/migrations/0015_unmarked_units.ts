import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { goesWith, text } from "./Statements.ts"

/** What SQLite notes of units that enter experiments. Here rows come from a folder that is brought along, and go once their markers are stored. */
const statements = [
  `create table unmarked_units (
     environment_id bigint not null,
     distinct_id ${text} not null,
     unit_type ${text} not null,
     at bigint not null,
     exposures ${text} not null,
     primary key (environment_id, distinct_id, unit_type, at)
   )`,
  goesWith("unmarked_units", "environment_id", "environments")
]

export const unmarkedUnits = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
