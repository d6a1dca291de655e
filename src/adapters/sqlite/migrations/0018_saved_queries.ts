import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { searchedText } from "../../../domain/analytics/question/SavedQuery.ts"

/** Columns that lists select by, who changed a query last, when it ran last, and a star for each person. */
const statements = [
  `alter table saved_queries add column query_type text not null default ''`,
  `alter table saved_queries add column listed integer not null default 1`,
  `alter table saved_queries add column searched text not null default ''`,
  `alter table saved_queries add column updated_by text`,
  `alter table saved_queries add column last_run_at text`,
  `update saved_queries set query_type = definition ->> '$.queryType'`,
  `update saved_queries set updated_by = created_by where updated_at = created_at`,
  `create table saved_query_stars (
     query_id text not null references saved_queries (id) on delete cascade,
     user_id text not null references users (id) on delete cascade,
     primary key (query_id, user_id)
   ) strict, without rowid`,
  `create index saved_query_stars_user on saved_query_stars (user_id)`
]

const Present = Schema.Array(
  Schema.Struct({ id: Schema.String, name: Schema.String, description: Schema.NullOr(Schema.String) })
)

export const savedQueries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
  const present = yield* Schema.decodeUnknown(Present)(yield* sql`select id, name, description from saved_queries`)
  for (const query of present) {
    yield* sql`update saved_queries set searched = ${searchedText(query)} where id = ${query.id}`
  }
})
