import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { text } from "./Statements.ts"

const statements = [
  // One row for each environment: the sequences of its latest marker and of the latest that the store of markers has.
  `create table event_head (
    environment bigint primary key,
    highest bigint not null default 0,
    flushed bigint not null default 0,
    removals bigint not null default 0,
    generations bigint not null default 0,
    removed boolean not null default false
  )`,
  // The ids of the dedupe window by UTC day of receipt; a day goes as a whole.
  `create table marker_key (
    day bigint not null,
    environment bigint not null,
    id uuid not null,
    primary key (environment, id, day)
  ) partition by list (day)`,
  // Markers that the store of markers may not have yet: lines of JSON, n of them from the sequence "first" on.
  `create table event_log (
    environment bigint not null,
    first bigint not null,
    n bigint not null,
    payload bytea not null,
    primary key (environment, first)
  )`,
  // The last sequence of the block that is on its way: a retry must send the very same block.
  `create table event_flush (environment bigint primary key, last bigint not null)`,
  // The names that markers of a type have had, as JSON, which can hold every character.
  `create table marker_name (
    environment bigint not null,
    type ${text} not null,
    source ${text} not null,
    name ${text} not null,
    primary key (environment, type, source, name)
  )`,
  // The latest generation of each cohort's members, and the one that is being written.
  `create table cohort_generation (
    environment bigint not null,
    cohort bigint not null,
    at bigint,
    pending bigint,
    primary key (environment, cohort)
  )`
]

/** The tables of PostgreSQL's part of the event store. */
export const eventLog = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
