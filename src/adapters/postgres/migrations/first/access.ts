import { ownId, text } from "../Statements.ts"

export const access = [
  `create table users (
     id ${text} primary key,
     email ${text} not null,
     email_key ${text} not null unique,
     name ${text} not null,
     external_reference ${text} not null unique,
     motive ${text} not null,
     password_hash ${text} not null,
     created_at ${text} not null,
     deleted_at ${text}
   )`,
  `create table browsers (
     id ${ownId("browsers")},
     token_hash ${text} not null unique,
     created_at ${text} not null
   )`,
  `create table browser_accounts (
     browser_id bigint not null references browsers (id) on delete cascade,
     handle ${text} not null,
     user_id ${text} not null references users (id) on delete cascade,
     is_active bigint not null,
     expires_at ${text} not null,
     last_used_at ${text} not null,
     created_at ${text} not null,
     primary key (browser_id, handle)
   )`,
  `create unique index browser_accounts_user on browser_accounts (user_id, browser_id)`,
  `create table organizations (
     id ${ownId("organizations")},
     name ${text} not null,
     color ${text},
     icon_tag ${text},
     created_at ${text} not null
   )`,
  `create table organization_icons (
     organization_id bigint primary key references organizations (id) on delete cascade,
     content_type ${text} not null,
     bytes bytea not null
   )`,
  `create table memberships (
     id ${ownId("memberships")},
     organization_id bigint not null references organizations (id) on delete cascade,
     user_id ${text} not null references users (id) on delete cascade,
     created_at ${text} not null,
     unique (organization_id, user_id)
   )`,
  `create index memberships_user on memberships (user_id)`,
  `create table roles (
     id ${ownId("roles")},
     organization_id bigint not null references organizations (id) on delete cascade,
     builtin ${text},
     name ${text} not null,
     description ${text},
     permissions ${text} not null,
     created_at ${text} not null,
     updated_at ${text} not null,
     unique (organization_id, name)
   )`,
  `create table invitations (
     id ${ownId("invitations")},
     organization_id bigint not null references organizations (id) on delete cascade,
     email ${text} not null,
     role_id bigint not null references roles (id) on delete cascade,
     token_hash ${text} not null unique,
     invited_by ${text} references users (id) on delete set null,
     created_at ${text} not null,
     expires_at ${text} not null,
     accepted_at ${text}
   )`,
  `create index invitations_organization on invitations (organization_id)`,
  `create index invitations_role on invitations (role_id)`,
  `create table applications (
     id ${ownId("applications")},
     organization_id bigint not null references organizations (id) on delete cascade,
     name ${text} not null,
     sdk_id bigint not null,
     color ${text},
     thumbnail_url ${text},
     timezone ${text} not null,
     created_at ${text} not null,
     created_by ${text} not null
   )`,
  `create index applications_organization on applications (organization_id)`,
  `create table environments (
     id ${ownId("environments")},
     application_id bigint not null references applications (id) on delete cascade,
     name ${text} not null,
     alias ${text} not null,
     created_at ${text} not null,
     retention_days bigint,
     marker_retention_days ${text} not null default '{}',
     unique (application_id, alias)
   )`,
  `create table removed_environments (
     id bigint primary key
   )`,
  `create table grants (
     id ${ownId("grants")},
     organization_id bigint not null references organizations (id) on delete cascade,
     application_id bigint references applications (id) on delete cascade,
     membership_id bigint not null references memberships (id) on delete cascade,
     role_id bigint not null references roles (id) on delete restrict,
     created_at ${text} not null,
     created_by ${text}
   )`,
  `create unique index grants_member on grants (membership_id, coalesce(application_id, 0))`,
  `create index grants_organization on grants (organization_id)`,
  `create index grants_application on grants (application_id)`,
  `create index grants_role on grants (role_id)`,
  `create table credentials (
     id ${ownId("credentials")},
     organization_id bigint not null references organizations (id) on delete cascade,
     type ${text} not null,
     user_id ${text} references users (id) on delete cascade,
     name ${text} not null,
     description ${text},
     all_projects bigint not null,
     application_ids ${text} not null,
     environment_ids ${text} not null,
     permissions ${text} not null,
     key_prefix ${text} not null,
     last_four ${text} not null,
     secret_hash ${text} not null unique,
     expires_at ${text},
     last_used_at ${text},
     created_at ${text} not null,
     created_by ${text},
     deactivated_at ${text},
     previous_secret_hash ${text},
     previous_valid_until ${text}
   )`,
  `create table failures (
     key ${text} primary key,
     count bigint not null,
     last_at bigint not null,
     heard_from bigint not null
   )`,
  `create index failures_last on failures (last_at)`,
  `create index credentials_organization on credentials (organization_id)`,
  `create index credentials_user on credentials (user_id)`,
  `create unique index credentials_previous_secret on credentials (previous_secret_hash)`
]
