import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { metadataApplicationId } from "../ApplicationIds.ts"
import { pairRow, pairTable } from "../operations/PairTable.ts"

/**
 * What ties the file to `events.sqlite`: ids of both, what each last knew of the other, and what a start had to repair. Environments
 * that were set aside are not among `environments`, so nothing here refers to those.
 */
const statements = [
  pairTable,
  pairRow,
  `create table file_notes (
     name text primary key,
     value integer not null
   ) strict, without rowid`,
  `create table noted_sequences (
     environment_id integer primary key,
     sequence integer not null
   ) strict`,
  `create table set_aside (
     kind text not null,
     id integer not null,
     environment_id integer not null,
     found_at integer not null,
     primary key (kind, id)
   ) strict, without rowid`,
  `create table repairs (
     id integer primary key autoincrement,
     found_at integer not null,
     kind text not null,
     environment_id integer,
     text text not null,
     accepted_at integer
   ) strict`,
  `pragma application_id = ${metadataApplicationId}`
]

export const filePair = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
