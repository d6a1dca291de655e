import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { ownId, text } from "./Statements.ts"

const statements = [
  `create table webhooks (
     id ${text} primary key,
     organization_id bigint not null references organizations (id) on delete cascade,
     name ${text} not null,
     url ${text} not null,
     types ${text} not null,
     application_ids ${text},
     secret ${text} not null,
     previous_secret ${text},
     previous_until ${text},
     is_active bigint not null,
     switched_off ${text},
     failing_since ${text},
     created_by ${text},
     created_at ${text} not null,
     updated_at ${text} not null
   )`,
  `create index webhooks_organizations on webhooks (organization_id, created_at)`,
  `create table webhook_deliveries (
     id ${ownId("webhook_deliveries")},
     webhook_id ${text} not null references webhooks (id) on delete cascade,
     organization_id bigint not null references organizations (id) on delete cascade,
     event_id ${text} not null,
     type ${text} not null,
     object_key ${text} not null,
     payload ${text} not null,
     state ${text} not null,
     attempts ${text} not null,
     tries bigint not null,
     next_at bigint not null,
     created_at bigint not null
   )`,
  `create index webhook_deliveries_webhooks on webhook_deliveries (webhook_id, id)`,
  `create index webhook_deliveries_organizations on webhook_deliveries (organization_id)`,
  // What waits is little, whatever was delivered.
  `create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, object_key, id) where state = 'waiting'`,
  `create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'waiting'`,
  `create index webhook_deliveries_old on webhook_deliveries (created_at) where state <> 'waiting'`
]

/** Webhooks, and what is delivered to them. */
export const webhooks = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
