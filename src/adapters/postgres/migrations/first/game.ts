import { goesWith, ownId, text } from "../Statements.ts"

export const game = [
  `create table context_properties (
     environment_id bigint not null,
     name ${text} not null,
     kinds ${text} not null,
     "values" ${text} not null,
     last_seen_at bigint not null,
     primary key (environment_id, name)
   )`,
  goesWith("context_properties", "environment_id", "environments"),
  `create table game_jobs (
     id ${ownId("game_jobs")},
     environment_id bigint not null,
     audience ${text} not null,
     digest ${text} not null,
     queued_at bigint not null,
     started_at bigint,
     completed_at bigint,
     status ${text},
     result ${text},
     unique (environment_id, audience)
   )`,
  goesWith("game_jobs", "environment_id", "environments"),
  `create table server_states (
     environment_id bigint not null,
     server_id ${text} not null,
     reported_at bigint not null,
     state ${text} not null,
     primary key (environment_id, server_id)
   )`,
  goesWith("server_states", "environment_id", "environments"),
  `create index server_states_reported on server_states (reported_at)`,
  `create table unit_sights (
     environment_id bigint not null,
     unit_type ${text} not null,
     distinct_id ${text} not null,
     first_seen_at bigint not null,
     primary key (environment_id, unit_type, distinct_id)
   )`,
  goesWith("unit_sights", "environment_id", "environments"),
  `create table notices (
     environment_id bigint not null,
     number bigint not null,
     event ${text} not null,
     ids ${text} not null,
     primary key (environment_id, number)
   )`,
  goesWith("notices", "environment_id", "environments")
]
