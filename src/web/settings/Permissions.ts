import type { Permission } from "../../domain/access/Permission.ts"

/** What each permission allows, in words. */
export const permissionWords: Readonly<Record<Permission, string>> = {
  "organization:read": "See the organization",
  "organization:write": "Rename it, change its icon",
  "members:read": "See members and invitations",
  "members:write": "Invite, remove, give roles",
  "roles:read": "See roles",
  "roles:write": "Make and change roles",
  "audit:read": "See who changed what",
  "webhooks:read": "See webhooks and what they were sent",
  "webhooks:write": "Make, change and remove webhooks",
  "api_keys:read": "See keys",
  "api_keys:write": "Make, rotate and revoke keys",
  "projects:read": "See projects and environments",
  "projects:write": "Make, change and delete projects",
  "environments:write": "Make, change and delete environments",
  "alerts:read": "See alerts and what they found",
  "alerts:write": "Make, change, mute and remove alerts",
  "analytics:read": "Ask questions",
  "queries:write": "Save questions, boards and maps",
  "markers:read": "See markers and what they hold",
  "markers:write": "Describe and hide markers",
  "players:read": "See single players",
  "players:delete": "Erase players",
  "cohorts:read": "See cohorts",
  "cohorts:write": "Make, change and delete cohorts",
  "configurations:read": "See configurations",
  "configurations:write": "Change what games get",
  "experiments:read": "See experiments and results",
  "experiments:write": "Start, change and end experiments",
  "deeplinks:read": "See deeplinks",
  "deeplinks:write": "Make, change and delete deeplinks",
  "sdk:ingest": "Send markers, as a game does",
  "sdk:read": "Fetch configurations, as a game does"
}

/** Permissions as people look for them. */
export const permissionGroups: ReadonlyArray<readonly [name: string, permissions: ReadonlyArray<Permission>]> = [
  [
    "Organization",
    [
      "organization:read",
      "organization:write",
      "members:read",
      "members:write",
      "roles:read",
      "roles:write",
      "audit:read",
      "webhooks:read",
      "webhooks:write",
      "api_keys:read",
      "api_keys:write"
    ]
  ],
  ["Projects", ["projects:read", "projects:write", "environments:write"]],
  ["Analytics", ["analytics:read", "queries:write", "alerts:read", "alerts:write", "markers:read", "markers:write"]],
  ["Players", ["players:read", "players:delete", "cohorts:read", "cohorts:write"]],
  [
    "Live game",
    [
      "configurations:read",
      "configurations:write",
      "experiments:read",
      "experiments:write",
      "deeplinks:read",
      "deeplinks:write"
    ]
  ],
  ["Game servers and clients", ["sdk:ingest", "sdk:read"]]
]
