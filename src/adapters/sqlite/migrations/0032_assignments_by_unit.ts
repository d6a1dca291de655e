import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const columns = [
  "experiment_id",
  "distinct_id",
  "environment_id",
  "unit_type",
  "group_id",
  "automatic_group_id",
  "override_group_id",
  "status",
  "source",
  "version",
  "assigned_at",
  "first_exposed_at",
  "row_sum"
].join(", ")

/**
 * Assignments, and exposures without a marker, in the order of their units, so that all of one unit lie on one page: a new unit of ten
 * experiments changed a page for each of them before, and the index by unit another. That index is the table now.
 */
const statements = [
  `create table assignments_by_unit (
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
     row_sum integer,
     primary key (environment_id, distinct_id, experiment_id)
   ) strict, without rowid`,
  `insert into assignments_by_unit (${columns}) select ${columns} from assignments
     order by environment_id, distinct_id, experiment_id`,
  `drop table assignments`,
  `alter table assignments_by_unit rename to assignments`,
  `create index assignments_latest on assignments (experiment_id, assigned_at desc, distinct_id)`,
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
   end`,
  `create table unmarked_by_unit (
     experiment_id integer not null,
     distinct_id text not null,
     group_id integer not null,
     environment_id integer not null references environments (id) on delete cascade,
     unit_type text not null,
     at integer not null,
     primary key (environment_id, distinct_id, experiment_id, group_id)
   ) strict, without rowid`,
  `insert into unmarked_by_unit (experiment_id, distinct_id, group_id, environment_id, unit_type, at)
     select experiment_id, distinct_id, group_id, environment_id, unit_type, at from unmarked_exposures`,
  `drop table unmarked_exposures`,
  `alter table unmarked_by_unit rename to unmarked_exposures`
]

export const assignmentsByUnit = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
