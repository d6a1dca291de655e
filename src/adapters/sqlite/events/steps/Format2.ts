import type Database from "better-sqlite3"

// Frozen: files of format 2 exist, so what this step makes must never change. Any change of the format is a new step.

/**
 * Which unit was in which cohort from when to when (epoch milliseconds). `cohort.at` is the cohort's latest complete
 * generation: rows of `cohort_member` after it belong to a generation that is being written. `cohort_staging` names the
 * cohorts that may have such rows.
 */
const tables = `
create table cohort (
  revision integer primary key autoincrement,
  environment_id integer not null,
  cohort_id integer not null,
  at integer not null,
  member_count integer not null
) strict;
create unique index cohort_by_id on cohort (environment_id, cohort_id);
create table cohort_member (
  environment_id integer not null,
  cohort_id integer not null,
  unit integer not null,
  entered_at integer not null,
  left_at integer,
  primary key (environment_id, cohort_id, unit, entered_at)
) strict, without rowid;
create index cohort_member_by_unit on cohort_member (environment_id, unit);
create table cohort_staging (
  environment_id integer not null,
  cohort_id integer not null,
  primary key (environment_id, cohort_id)
) strict, without rowid;
`

/** Brings a file of format 1 to format 2: members of cohorts. */
export const toFormat2 = (db: Database.Database): void => {
  db.exec(tables)
}
