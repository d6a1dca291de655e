import { goesWith, ownId, text } from "../Statements.ts"

export const analytics = [
  `create table marker_types (
     environment_id bigint not null,
     name ${text} not null,
     display_name ${text},
     description ${text},
     hidden bigint not null,
     primary key (environment_id, name)
   )`,
  goesWith("marker_types", "environment_id", "environments"),
  `create table marker_arguments (
     environment_id bigint not null,
     type ${text} not null,
     name ${text} not null,
     description ${text},
     unit ${text},
     decimals bigint,
     primary key (environment_id, type, name)
   )`,
  goesWith("marker_arguments", "environment_id", "environments"),
  `create table heatmaps (
     ordinal ${ownId("heatmaps")},
     id ${text} not null unique,
     application_id bigint not null,
     name ${text} not null,
     description ${text},
     bounds ${text} not null,
     resolution_factor double precision not null,
     image_tag ${text},
     created_at ${text} not null
   )`,
  goesWith("heatmaps", "application_id", "applications"),
  `create index heatmaps_application on heatmaps (application_id)`,
  `create table heatmap_images (
     heatmap_id ${text} primary key references heatmaps (id) on delete cascade,
     content_type ${text} not null,
     bytes bytea not null
   )`,
  `create table saved_queries (
     id ${text} primary key,
     application_id bigint not null,
     name ${text} not null,
     description ${text},
     definition ${text} not null,
     created_by ${text},
     created_at ${text} not null,
     updated_at ${text} not null,
     query_type ${text} not null default '',
     listed bigint not null default 1,
     searched ${text} not null default '',
     updated_by ${text},
     last_run_at ${text}
   )`,
  goesWith("saved_queries", "application_id", "applications"),
  `create index saved_queries_application on saved_queries (application_id, created_at, id)`,
  `create table saved_query_stars (
     query_id ${text} not null references saved_queries (id) on delete cascade,
     user_id ${text} not null references users (id) on delete cascade,
     primary key (query_id, user_id)
   )`,
  `create index saved_query_stars_user on saved_query_stars (user_id)`,
  `create table executions (
     id ${text} primary key,
     queued bigint not null default next_number('executions'),
     query_id ${text} not null,
     application_id bigint not null,
     environment_id bigint not null,
     idempotency_key ${text},
     requester ${text} not null,
     definition ${text} not null,
     state ${text} not null,
     rows_scanned bigint not null,
     rows_total bigint not null,
     result ${text},
     error ${text},
     requested_at ${text} not null,
     started_at ${text},
     finished_at ${text},
     claimed_by ${text},
     claimed_until ${text}
   )`,
  goesWith("executions", "query_id", "saved_queries"),
  goesWith("executions", "application_id", "applications"),
  goesWith("executions", "environment_id", "environments"),
  `create unique index executions_key on executions (query_id, environment_id, idempotency_key)`,
  `create index executions_application on executions (application_id)`,
  `create index executions_environment on executions (environment_id)`,
  `create index executions_unfinished on executions (state, application_id) where finished_at is null`,
  `create index executions_finished on executions (finished_at) where finished_at is not null`,
  `create table boards (
     id ${text} primary key,
     application_id bigint not null,
     name ${text} not null,
     description ${text},
     tiles ${text} not null,
     time ${text},
     pinned bigint not null,
     created_by ${text},
     created_at ${text} not null,
     updated_at ${text} not null
   )`,
  goesWith("boards", "application_id", "applications"),
  `create index boards_application on boards (application_id, created_at, id)`
]
