import { goesWith, text } from "../Statements.ts"

export const experiments = [
  `create table experiments (
     id bigint primary key,
     application_id bigint not null,
     environment_id bigint not null,
     revision bigint not null,
     status ${text} not null,
     is_open bigint not null,
     base_configuration_id bigint not null,
     record ${text} not null
   )`,
  goesWith("experiments", "application_id", "applications"),
  goesWith("experiments", "environment_id", "environments"),
  `create index experiments_environment on experiments (environment_id, id)`,
  `create index experiments_application on experiments (application_id)`,
  `create index experiments_open on experiments (id) where is_open = 1`,
  `create table experiment_numbers (
     kind ${text} primary key,
     last bigint not null
   )`,
  `insert into experiment_numbers (kind, last) values ('experiment', 0), ('group', 0)`,
  `create table experiment_drafts (
     id bigint primary key,
     application_id bigint not null,
     environment_id bigint not null,
     revision bigint not null,
     plan ${text} not null,
     group_ids ${text} not null,
     created_by ${text},
     created_at ${text} not null,
     updated_at ${text} not null
   )`,
  goesWith("experiment_drafts", "application_id", "applications"),
  goesWith("experiment_drafts", "environment_id", "environments"),
  `create index experiment_drafts_environment on experiment_drafts (environment_id, id)`,
  `create index experiment_drafts_application on experiment_drafts (application_id)`,
  `create table assignments (
     experiment_id bigint not null,
     distinct_id ${text} not null,
     environment_id bigint not null,
     unit_type ${text} not null,
     group_id bigint not null,
     automatic_group_id bigint,
     override_group_id bigint,
     status ${text} not null,
     source ${text} not null,
     version bigint not null,
     assigned_at bigint not null,
     first_exposed_at bigint,
     primary key (experiment_id, distinct_id)
   )`,
  goesWith("assignments", "environment_id", "environments"),
  `create index assignments_unit on assignments (environment_id, distinct_id)`,
  `create index assignments_latest on assignments (experiment_id, assigned_at desc, distinct_id)`,
  `create table assignment_totals (
     experiment_id bigint not null,
     environment_id bigint not null,
     group_id bigint not null,
     status ${text} not null,
     count bigint not null,
     primary key (experiment_id, group_id, status)
   )`,
  goesWith("assignment_totals", "environment_id", "environments"),
  `create table unmarked_exposures (
     experiment_id bigint not null,
     distinct_id ${text} not null,
     group_id bigint not null,
     environment_id bigint not null,
     unit_type ${text} not null,
     at bigint not null,
     primary key (experiment_id, distinct_id, group_id)
   )`,
  goesWith("unmarked_exposures", "environment_id", "environments")
]
