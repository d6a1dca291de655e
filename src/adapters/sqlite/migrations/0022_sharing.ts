import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  // Who computes a cohort, until when it has to say so again, and until when markers do not make the cohort be computed once more.
  `alter table cohorts add column claimed_by text`,
  `alter table cohorts add column claimed_until text`,
  `alter table cohorts add column rests_until text`,
  `create index cohorts_claimed on cohorts (claimed_until) where started_at is not null`,
  // Who runs an execution, and until when it has to say so again.
  `alter table executions add column claimed_by text`,
  `alter table executions add column claimed_until text`,
  // Environments that were removed, which so far were those whose ids are missing.
  `create table removed_environments (id integer primary key) strict`,
  `insert into removed_environments (id)
     with recursive given (id) as (
       select 1 union all
       select id + 1 from given where id < (select coalesce(max(id), 0) from environments)
     )
     select id from given
     where id < (select coalesce(max(id), 0) from environments)
       and id not in (select id from environments)
       and id not in (select id from set_aside where kind = 'environment')`,
  // What games and people are told of changes, numbered in each environment.
  `create table notices (
     environment_id integer not null references environments (id) on delete cascade,
     number integer not null,
     event text not null,
     ids text not null,
     primary key (environment_id, number)
   ) strict, without rowid`
]

/** What several processes have to know of each other's work. */
export const sharing = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
