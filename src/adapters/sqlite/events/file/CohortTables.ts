/**
 * Who belonged to which cohort from when to when (epoch milliseconds). A cohort's `at` is its latest generation: what lies after it
 * is being written and does not count yet; `cohort_staging` names the cohorts for which that may be so.
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
