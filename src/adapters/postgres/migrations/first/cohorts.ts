import { goesWith, ownId, text } from "../Statements.ts"

export const cohorts = [
  `create table cohorts (
     id ${ownId("cohorts")},
     application_id bigint not null,
     environment_id bigint not null,
     name ${text} not null,
     name_key ${text} not null,
     description ${text},
     kind ${text} not null,
     definition ${text},
     markers ${text} not null,
     cohort_ids ${text} not null,
     revision bigint not null,
     status ${text} not null,
     member_count bigint not null,
     computed_at ${text},
     error ${text},
     due_at ${text},
     started_at ${text},
     failures bigint not null,
     highest_sequence bigint not null,
     created_by ${text},
     created_at ${text} not null,
     updated_at ${text} not null,
     claimed_by ${text},
     claimed_until ${text},
     rests_until ${text},
     unique (environment_id, name_key)
   )`,
  goesWith("cohorts", "application_id", "applications"),
  goesWith("cohorts", "environment_id", "environments"),
  `create index cohorts_application on cohorts (application_id)`,
  `create index cohorts_due on cohorts (due_at, id) where due_at is not null and started_at is null`,
  `create index cohorts_claimed on cohorts (claimed_until) where started_at is not null`,
  `create table cohort_runs (
     ordinal ${ownId("cohort_runs")},
     cohort_id bigint not null references cohorts (id) on delete cascade,
     at ${text} not null,
     member_count bigint not null,
     entered bigint not null,
     "left" bigint not null
   )`,
  `create index cohort_runs_cohort on cohort_runs (cohort_id, ordinal)`
]
