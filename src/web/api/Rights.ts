import type { Permission } from "../../domain/access/Permission.ts"
import type { EndpointName } from "./Wire.ts"

/** What the dashboard only reads, by the permission that it needs. A test compares the lists with the contract. */
export const reads: Readonly<Partial<Record<Permission, ReadonlyArray<EndpointName>>>> = {
  "organization:read": ["organizations.get", "icons.get"],
  "members:read": ["organizations.members", "invitations.list", "roles.grants", "roles.projectGrants"],
  "api_keys:read": ["apiKeys.list"],
  "roles:read": ["roles.list", "roles.get"],
  "audit:read": ["audit.list", "audit.verify"],
  "webhooks:read": ["webhooks.list", "webhooks.deliveries", "webhooks.delivery"],
  "alerts:read": ["alerts.list", "alerts.get", "alerts.incidents", "alerts.preview"],
  "markers:read": [
    "markers.arguments",
    "markers.argumentValues",
    "markers.properties",
    "markers.propertyValues",
    "markers.raw",
    "markers.types",
    "markers.pendingTypes"
  ],
  "analytics:read": [
    "queries.insights",
    "queries.insightUsers",
    "queries.funnels",
    "queries.funnelUsers",
    "queries.funnelNext",
    "queries.retention",
    "queries.retentionUsers",
    "queries.heatmaps",
    "queries.heatmapUsers",
    "queries.heatmapArguments",
    "savedQueries.list",
    "savedQueries.get",
    "savedQueries.execute",
    "savedQueries.request",
    "savedQueries.state",
    "savedQueries.cancel",
    "queryStars.set",
    "queryStars.remove",
    "notes.list",
    "boards.list",
    "boards.get",
    "heatmaps.list",
    "heatmaps.get",
    "heatmaps.image"
  ],
  "cohorts:read": [
    "cohorts.list",
    "cohorts.execute",
    "cohorts.get",
    "cohorts.memberCount",
    "cohorts.members",
    "cohorts.membership",
    "cohorts.usage",
    "cohorts.usages"
  ],
  "configurations:read": [
    "configurations.list",
    "configurations.get",
    "configurations.versions",
    "configurations.version",
    "configurations.diff"
  ],
  "deeplinks:read": ["deeplinks.list", "deeplinks.get", "deeplinks.conversions"],
  "experiments:read": [
    "experiments.list",
    "experiments.catalog",
    "experiments.assignmentCounts",
    "experiments.contextProperties",
    "experiments.get",
    "experiments.estimate",
    "experiments.groupCounts",
    "experiments.rollout",
    "experiments.results",
    "experiments.estimate",
    "assignments.list",
    "assignments.members"
  ],
  "players:read": ["players.list", "players.get", "players.export", "players.configuration"]
}

const permissionOf = new Map<string, string>(
  Object.entries(reads).flatMap(([permission, names]) => names.map((name) => [name, permission]))
)

/** What this person may do, by place: an organization or a project. What is not known yet is left to the server. */
const held = new Map<string, ReadonlySet<string>>()

const organizationKey = (id: number | string) => `organization ${id}`

const projectKey = (id: number | string) => `project ${id}`

export const learnOrganization = (id: number, permissions: ReadonlyArray<string>): void =>
  void held.set(organizationKey(id), new Set(permissions))

export const learnProject = (id: number, permissions: ReadonlyArray<string>): void =>
  void held.set(projectKey(id), new Set(permissions))

interface Place {
  readonly organizationId?: number | string
  readonly applicationId?: number | string
}

/** The permission for want of which the server would refuse to answer; null where it would answer, or where that is not known. */
export const lackedFor = (name: EndpointName, { organizationId, applicationId }: Place): string | null => {
  const permission = permissionOf.get(name)
  const place =
    organizationId !== undefined
      ? organizationKey(organizationId)
      : applicationId !== undefined
        ? projectKey(applicationId)
        : ""
  const rights = held.get(place)
  return permission === undefined || rights === undefined || rights.has(permission) ? null : permission
}
