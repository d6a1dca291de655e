import { goesWith, ownId, text } from "../Statements.ts"

export const configuration = [
  `create table configurations (
     id ${ownId("configurations")},
     application_id bigint not null,
     environment_id bigint not null,
     name ${text} not null,
     alias ${text},
     description ${text},
     document ${text} not null,
     privacy ${text} not null,
     schema ${text},
     key_descriptions ${text} not null,
     is_primary bigint not null,
     hash ${text} not null,
     version bigint not null,
     created_at ${text} not null,
     updated_at ${text} not null,
     updated_by ${text}
   )`,
  goesWith("configurations", "application_id", "applications"),
  goesWith("configurations", "environment_id", "environments"),
  `create unique index configurations_name on configurations (environment_id, name)`,
  `create unique index configurations_alias on configurations (environment_id, alias)`,
  `create unique index configurations_primary on configurations (environment_id) where is_primary = 1`,
  `create index configurations_application on configurations (application_id)`,
  `create table configuration_links (
     configuration_id bigint not null references configurations (id) on delete cascade,
     target_id bigint not null,
     primary key (configuration_id, target_id)
   )`,
  `create index configuration_links_target on configuration_links (target_id)`,
  `create table configuration_versions (
     configuration_id bigint not null,
     version bigint not null,
     hash ${text} not null,
     document ${text} not null,
     privacy ${text} not null,
     reason ${text},
     created_at ${text} not null,
     created_by ${text},
     primary key (configuration_id, version)
   )`,
  goesWith("configuration_versions", "configuration_id", "configurations"),
  `create index configuration_versions_created on configuration_versions
     (configuration_id, created_at, version)`
]
