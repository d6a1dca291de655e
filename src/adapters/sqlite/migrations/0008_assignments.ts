import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table assignments (
     experiment_id integer not null,
     distinct_id text not null,
     environment_id integer not null references environments (id) on delete cascade,
     unit_type text not null,
     group_id integer not null,
     automatic_group_id integer,
     override_group_id integer,
     status text not null,
     source text not null,
     version integer not null,
     assigned_at integer not null,
     first_exposed_at integer,
     primary key (experiment_id, distinct_id)
   ) strict, without rowid`,
  `create index assignments_unit on assignments (environment_id, distinct_id)`,
  `create index assignments_latest on assignments (experiment_id, assigned_at desc, distinct_id)`,
  `create table assignment_totals (
     experiment_id integer not null,
     environment_id integer not null references environments (id) on delete cascade,
     group_id integer not null,
     status text not null,
     count integer not null,
     primary key (experiment_id, group_id, status)
   ) strict, without rowid`,
  `create table context_properties (
     environment_id integer not null references environments (id) on delete cascade,
     name text not null,
     kinds text not null,
     "values" text not null,
     last_seen_at integer not null,
     primary key (environment_id, name)
   ) strict, without rowid`,
  `create trigger assignments_inserted after insert on assignments begin
     insert into assignment_totals values (new.experiment_id, new.environment_id, new.group_id, new.status, 1)
     on conflict do update set count = count + 1;
   end`,
  `create trigger assignments_deleted after delete on assignments begin
     update assignment_totals set count = count - 1
     where experiment_id = old.experiment_id and group_id = old.group_id and status = old.status;
   end`,
  `create trigger assignments_moved after update of group_id, status on assignments
     when new.group_id <> old.group_id or new.status <> old.status begin
     update assignment_totals set count = count - 1
     where experiment_id = old.experiment_id and group_id = old.group_id and status = old.status;
     insert into assignment_totals values (new.experiment_id, new.environment_id, new.group_id, new.status, 1)
     on conflict do update set count = count + 1;
   end`
]

export const assignments = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
