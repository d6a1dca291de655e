/**
 * Which units belonged to which cohort, from when to when (epoch ms). `at` is a cohort's latest complete generation.
 * Rows after it are still being written and do not count yet; `cohort_staging` lists the cohorts that may have such
 * rows.
 */
export const cohortTables = `
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
