import { text } from "../Statements.ts"

/** What the processes that share the database know of each other: who they are, and what they tell. */
export const processes = [
  `create table peers (
     name ${text} primary key,
     heard bigint not null,
     until timestamptz not null
   ) with (fillfactor = 50)`,
  `create table changes (
     number bigint primary key default next_number('changes'),
     notice ${text} not null,
     told_at timestamptz not null default clock_timestamp()
   )`,
  `create index changes_told on changes (told_at)`,
  // Names the numbering of the notices of changes.
  `create table epochs (
     id ${text} primary key default gen_random_uuid()
   )`,
  `insert into epochs default values`
]
