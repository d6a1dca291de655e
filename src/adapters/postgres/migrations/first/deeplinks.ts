import { goesWith, text } from "../Statements.ts"

export const deeplinks = [
  `create table deeplinks (
     id ${text} primary key,
     application_id bigint not null,
     name ${text} not null,
     slug ${text} not null unique,
     type ${text} not null,
     redirect_url ${text} not null,
     metadata ${text} not null,
     conversion_marker ${text} not null,
     attribution_window_hours bigint not null,
     created_at ${text} not null,
     updated_at ${text} not null,
     archived_at ${text}
   )`,
  goesWith("deeplinks", "application_id", "applications"),
  `create index deeplinks_application on deeplinks (application_id, created_at, id)`,
  `create table deeplink_clicks (
     interaction_id ${text} primary key,
     deeplink_id ${text} not null,
     clicked_at bigint not null,
     expires_at bigint not null,
     source ${text},
     country ${text},
     device ${text} not null,
     visitor ${text} not null
   )`,
  goesWith("deeplink_clicks", "deeplink_id", "deeplinks"),
  `create index deeplink_clicks_deeplink on deeplink_clicks (deeplink_id)`,
  `create index deeplink_clicks_expiry on deeplink_clicks (expires_at)`,
  `create table deeplink_visitors (
     deeplink_id ${text} not null,
     visitor ${text} not null,
     primary key (deeplink_id, visitor)
   )`,
  goesWith("deeplink_visitors", "deeplink_id", "deeplinks"),
  `create table deeplink_slots (
     deeplink_id ${text} not null,
     slot bigint not null,
     source ${text} not null,
     country ${text} not null,
     device ${text} not null,
     clicks bigint not null,
     unique_clicks bigint not null,
     primary key (deeplink_id, slot, source, country, device)
   )`,
  goesWith("deeplink_slots", "deeplink_id", "deeplinks"),
  `create table deeplink_conversions (
     interaction_id ${text} not null,
     unit_id ${text} not null,
     deeplink_id ${text} not null,
     environment_id bigint not null,
     clicked_at bigint not null,
     expires_at bigint not null,
     converted_at bigint not null,
     source ${text},
     country ${text},
     device ${text} not null,
     primary key (interaction_id, unit_id, environment_id)
   )`,
  goesWith("deeplink_conversions", "deeplink_id", "deeplinks"),
  goesWith("deeplink_conversions", "environment_id", "environments"),
  `create index deeplink_conversions_deeplink on deeplink_conversions (deeplink_id, clicked_at)`,
  `create index deeplink_conversions_unit on deeplink_conversions (environment_id, unit_id)`
]
