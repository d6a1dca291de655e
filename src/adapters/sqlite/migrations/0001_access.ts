import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table users (
     id text primary key,
     email text not null,
     email_key text not null unique,
     name text not null,
     external_reference text not null unique,
     motive text not null,
     password_hash text not null,
     created_at text not null,
     deleted_at text
   ) strict`,
  `create table browsers (
     id integer primary key autoincrement,
     token_hash text not null unique,
     created_at text not null
   ) strict`,
  `create table browser_accounts (
     browser_id integer not null references browsers (id) on delete cascade,
     handle text not null,
     user_id text not null references users (id) on delete cascade,
     is_active integer not null,
     expires_at text not null,
     last_used_at text not null,
     created_at text not null,
     primary key (browser_id, handle)
   ) strict, without rowid`,
  `create unique index browser_accounts_user on browser_accounts (user_id, browser_id)`,
  `create table organizations (
     id integer primary key autoincrement,
     name text not null,
     color text,
     icon_tag text,
     created_at text not null
   ) strict`,
  `create table organization_icons (
     organization_id integer primary key references organizations (id) on delete cascade,
     content_type text not null,
     bytes blob not null
   ) strict`,
  `create table memberships (
     id integer primary key autoincrement,
     organization_id integer not null references organizations (id) on delete cascade,
     user_id text not null references users (id) on delete cascade,
     created_at text not null,
     unique (organization_id, user_id)
   ) strict`,
  `create index memberships_user on memberships (user_id)`,
  `create table roles (
     id integer primary key autoincrement,
     organization_id integer not null references organizations (id) on delete cascade,
     builtin text,
     name text not null,
     description text,
     permissions text not null,
     created_at text not null,
     updated_at text not null,
     unique (organization_id, name)
   ) strict`,
  `create table invitations (
     id integer primary key autoincrement,
     organization_id integer not null references organizations (id) on delete cascade,
     email text not null,
     role_id integer not null references roles (id) on delete cascade,
     token_hash text not null unique,
     invited_by text references users (id) on delete set null,
     created_at text not null,
     expires_at text not null,
     accepted_at text
   ) strict`,
  `create index invitations_organization on invitations (organization_id)`,
  `create index invitations_role on invitations (role_id)`,
  `create table applications (
     id integer primary key autoincrement,
     organization_id integer not null references organizations (id) on delete cascade,
     name text not null,
     sdk_id integer not null,
     color text,
     thumbnail_url text,
     timezone text not null,
     created_at text not null,
     created_by text not null
   ) strict`,
  `create index applications_organization on applications (organization_id)`,
  `create table environments (
     id integer primary key autoincrement,
     application_id integer not null references applications (id) on delete cascade,
     name text not null,
     alias text not null,
     created_at text not null,
     unique (application_id, alias)
   ) strict`,
  `create table grants (
     id integer primary key autoincrement,
     organization_id integer not null references organizations (id) on delete cascade,
     application_id integer references applications (id) on delete cascade,
     membership_id integer not null references memberships (id) on delete cascade,
     role_id integer not null references roles (id) on delete restrict,
     created_at text not null,
     created_by text
   ) strict`,
  `create unique index grants_member on grants (membership_id, ifnull(application_id, 0))`,
  `create index grants_organization on grants (organization_id)`,
  `create index grants_application on grants (application_id)`,
  `create index grants_role on grants (role_id)`,
  `create table credentials (
     id integer primary key autoincrement,
     organization_id integer not null references organizations (id) on delete cascade,
     type text not null,
     user_id text references users (id) on delete cascade,
     name text not null,
     description text,
     all_projects integer not null,
     application_ids text not null,
     environment_ids text not null,
     permissions text not null,
     key_prefix text not null,
     last_four text not null,
     secret_hash text not null unique,
     expires_at text,
     last_used_at text,
     created_at text not null,
     created_by text,
     deactivated_at text
   ) strict`,
  `create index credentials_organization on credentials (organization_id)`,
  `create index credentials_user on credentials (user_id)`
]

export const access = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
