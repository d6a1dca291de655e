import { Schema } from "effect"

/** Everything a role or a key may be allowed. Each is asked for by an endpoint of the contract; a test finds one that is not. */
export const Permission = Schema.Literal(
  "organization:read",
  "organization:write",
  "members:read",
  "members:write",
  "projects:read",
  "projects:write",
  "environments:write",
  "api_keys:read",
  "api_keys:write",
  "roles:read",
  "roles:write",
  "audit:read",
  "webhooks:read",
  "webhooks:write",
  "alerts:read",
  "alerts:write",
  "analytics:read",
  "queries:write",
  "markers:read",
  "markers:write",
  "cohorts:read",
  "cohorts:write",
  "configurations:read",
  "configurations:write",
  "deeplinks:read",
  "deeplinks:write",
  "experiments:read",
  "experiments:write",
  "players:read",
  "players:delete",
  "sdk:ingest",
  "sdk:read"
).annotations({
  identifier: "Permission",
  message: () => ({
    message: "expected a permission of those that /docs/guide/reference/permissions lists",
    override: true
  })
})
export type Permission = typeof Permission.Type

/** Every permission, in the order of the literal. */
export const allPermissions: ReadonlyArray<Permission> = Permission.literals
