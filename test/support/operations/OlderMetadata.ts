import { assert } from "@effect/vitest"
import type Database from "better-sqlite3"
import * as summed from "../../../src/adapters/sql/sums/SummedTables.ts"

const ofAssignments = [
  "experiment_id integer not null",
  "distinct_id text not null",
  "environment_id integer not null references environments (id) on delete cascade",
  "unit_type text not null",
  "group_id integer not null",
  "automatic_group_id integer",
  "override_group_id integer",
  "status text not null",
  "source text not null",
  "version integer not null",
  "assigned_at integer not null",
  "first_exposed_at integer",
  "row_sum integer"
]

const ofExposures = [
  "experiment_id integer not null",
  "distinct_id text not null",
  "group_id integer not null",
  "environment_id integer not null references environments (id) on delete cascade",
  "unit_type text not null",
  "at integer not null"
]

/** A table with another order of its rows. */
const reordered = (table: string, columns: ReadonlyArray<string>, key: string): ReadonlyArray<string> => [
  `create table before_${table} (${columns.join(", ")}, primary key (${key})) strict, without rowid`,
  `insert into before_${table} select * from ${table}`,
  `drop table ${table}`,
  `alter table before_${table} rename to ${table}`
]

const countingInserted = `create trigger assignments_inserted after insert on assignments begin
     insert into assignment_totals values (new.experiment_id, new.environment_id, new.group_id, new.status, 1)
     on conflict do update set count = count + 1;
   end`

/** Assignments in the order of experiments, with an index by unit, as before they were in the order of units. */
const unitsApart = [
  ...reordered("assignments", ofAssignments, "experiment_id, distinct_id"),
  "create index assignments_unit on assignments (environment_id, distinct_id)",
  "create index assignments_latest on assignments (experiment_id, assigned_at desc, distinct_id)",
  countingInserted,
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
  ...reordered("unmarked_exposures", ofExposures, "experiment_id, distinct_id, group_id")
]

/** What each migration has made, taken away again, by its number. */
const undone: ReadonlyArray<readonly [migration: number, statements: ReadonlyArray<string>]> = [
  [37, ["alter table executions drop column attempts"]],
  [36, ["drop index configurations_summaries", "drop index executions_ended"]],
  [35, [countingInserted]],
  [34, ["drop table unmarked_units"]],
  [32, unitsApart],
  [
    31,
    [
      "alter table organizations drop column requires_second_factor",
      "alter table browser_accounts drop column by_password_alone"
    ]
  ],
  [30, ["passkey_challenges", "passkeys"].map((table) => `drop table ${table}`)],
  [29, ["drop table given_memberships", "drop table identities"]],
  [28, ["recovery_codes", "authenticators"].map((table) => `drop table ${table}`)],
  [27, ["alter table webhooks drop column format", "drop table alert_incidents", "drop table alerts"]],
  [
    26,
    [
      "drop table password_resets",
      "drop table sign_ins",
      ...["browser", "address"].map((column) => `alter table browser_accounts drop column ${column}`)
    ]
  ],
  [25, ["webhook_deliveries", "webhooks"].map((table) => `drop table ${table}`)],
  [24, ["audit_begun", "audit_chains", "audit_entries"].map((table) => `drop table ${table}`)],
  [23, ["drop table unmarked_exposures"]],
  [
    22,
    [
      "drop table notices",
      "drop table removed_environments",
      "drop index cohorts_claimed",
      ...["claimed_by", "claimed_until", "rests_until"].map((column) => `alter table cohorts drop column ${column}`),
      ...["claimed_by", "claimed_until"].map((column) => `alter table executions drop column ${column}`)
    ]
  ],
  [21, ["drop table experiment_drafts"]],
  [20, ["drop index if exists configuration_versions_created"]],
  [
    19,
    [
      ...Object.values(summed).map(({ name }) => `alter table ${name} drop column row_sum`),
      "alter table configurations drop column document_sum"
    ]
  ],
  [
    18,
    [
      "drop table saved_query_stars",
      ...["query_type", "listed", "searched", "updated_by", "last_run_at"].map(
        (column) => `alter table saved_queries drop column ${column}`
      )
    ]
  ],
  [17, ["drop table page_token"]],
  [16, ["file_pair", "file_notes", "noted_sequences", "set_aside", "repairs"].map((table) => `drop table ${table}`)]
]

/** Makes of a metadata file what a version without the migrations from `first` on would have left. `first` is 16 at least. */
export const forgetMigrations = (metadata: Database.Database, first: number): void => {
  const newest = Number(metadata.prepare("select max(migration_id) from effect_sql_migrations").pluck().get())
  assert.isAtMost(
    newest,
    Math.max(...undone.map(([migration]) => migration)),
    `undone of test/support/operations/OlderMetadata.ts lacks what takes away again what migration ${newest} of SQLite has made`
  )
  for (const [migration, statements] of undone) {
    if (migration >= first) for (const statement of statements) metadata.exec(statement)
  }
  metadata.exec(`delete from effect_sql_migrations where migration_id >= ${first}`)
}
