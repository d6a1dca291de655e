import type Database from "better-sqlite3"
import * as summed from "../../../src/adapters/sql/sums/SummedTables.ts"

/** What each migration has made, taken away again, by its number. */
const undone: ReadonlyArray<readonly [migration: number, statements: ReadonlyArray<string>]> = [
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
  for (const [migration, statements] of undone) {
    if (migration >= first) for (const statement of statements) metadata.exec(statement)
  }
  metadata.exec(`delete from effect_sql_migrations where migration_id >= ${first}`)
}
