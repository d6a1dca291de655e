import { firstCharacters } from "../../Characters.ts"
import type { Json } from "../../configuration/Document.ts"
import type { OrganizationId } from "../../Ids.ts"
import type { AuditContent } from "../audit/AuditEntry.ts"

/** What an event of each operation of the API is called. */
const typeOfOperation: Readonly<Record<string, string>> = {
  "apiKeys.create": "key.created",
  "apiKeys.rotate": "key.rotated",
  "apiKeys.update": "key.updated",
  "apiKeys.setPermissions": "key.updated",
  "apiKeys.setEnvironments": "key.updated",
  "apiKeys.setProjects": "key.updated",
  "apiKeys.deactivate": "key.deactivated",
  "organizations.create": "organization.created",
  "organizations.update": "organization.updated",
  "icons.put": "organization.updated",
  "icons.remove": "organization.updated",
  "organizations.addMember": "member.added",
  "organizations.setMemberRole": "member.roleChanged",
  "organizations.removeMember": "member.removed",
  "roles.setGrant": "member.roleChanged",
  "roles.setProjectGrant": "member.roleChanged",
  "roles.removeProjectGrant": "member.roleChanged",
  "invitations.create": "invitation.created",
  "invitations.revoke": "invitation.revoked",
  "invitations.accept": "invitation.accepted",
  "passwordResets.create": "member.passwordLinkMade",
  "secondFactors.removeOfMember": "member.secondFactorRemoved",
  "roles.create": "role.created",
  "roles.update": "role.updated",
  "roles.remove": "role.removed",
  "projects.create": "project.created",
  "projects.update": "project.updated",
  "projects.remove": "project.removed",
  "environments.create": "environment.created",
  "environments.update": "environment.updated",
  "environments.remove": "environment.removed",
  "configurations.create": "configuration.created",
  "configurations.copy": "configuration.created",
  "configurations.replace": "configuration.updated",
  "configurations.patch": "configuration.updated",
  "configurations.makePrimary": "configuration.updated",
  "configurations.revert": "configuration.updated",
  "configurations.remove": "configuration.removed",
  "experiments.create": "experiment.created",
  "experimentDrafts.start": "experiment.created",
  "experiments.update": "experiment.updated",
  "experiments.changeRollout": "experiment.rolloutChanged",
  "experiments.terminate": "experiment.ended",
  "experiments.retryCohort": "experiment.updated",
  "experimentDrafts.copy": "experiment.draftCreated",
  "experimentDrafts.replace": "experiment.draftUpdated",
  "experimentDrafts.remove": "experiment.draftRemoved",
  "assignments.set": "experiment.assignmentsChanged",
  "assignments.reactivate": "experiment.assignmentsChanged",
  "assignments.unenroll": "experiment.assignmentsChanged",
  "assignments.import": "experiment.assignmentsChanged",
  "cohorts.create": "cohort.created",
  "cohorts.update": "cohort.updated",
  "cohorts.remove": "cohort.removed",
  "deeplinks.create": "deeplink.created",
  "deeplinks.update": "deeplink.updated",
  "deeplinks.remove": "deeplink.removed",
  "savedQueries.create": "query.created",
  "savedQueries.update": "query.updated",
  "savedQueries.remove": "query.removed",
  "boards.create": "board.created",
  "boards.update": "board.updated",
  "boards.remove": "board.removed",
  "heatmaps.create": "heatmap.created",
  "heatmaps.update": "heatmap.updated",
  "heatmaps.putImage": "heatmap.updated",
  "heatmaps.remove": "heatmap.removed",
  "sdkHeatmaps.create": "heatmap.created",
  "sdkHeatmaps.update": "heatmap.updated",
  "sdkHeatmaps.putImage": "heatmap.updated",
  "sdkHeatmaps.remove": "heatmap.removed",
  "markers.setMetadata": "marker.described",
  "players.erase": "player.erased",
  "alerts.create": "alert.created",
  "alerts.update": "alert.updated",
  "alerts.remove": "alert.removed",
  "alerts.mute": "alert.muted",
  "alerts.acknowledge": "alert.acknowledged",
  "webhooks.create": "webhook.created",
  "webhooks.update": "webhook.updated",
  "webhooks.rotate": "webhook.rotated",
  "webhooks.remove": "webhook.removed",
  "webhooks.replay": "webhook.replayed",
  "webhooks.test": "webhook.tested"
}

/** What happens without anybody asking for it. */
const ownTypes = [
  "alert.fired",
  "alert.resolved",
  "alert.broken",
  "experiment.started",
  "experiment.ended",
  "cohort.computed",
  "cohort.failed",
  "query.finished",
  "server.problem",
  "server.resolved"
] as const

/** Whether events of the type are of the server itself, whose owners alone are told of them. */
export const isOfServer = (type: string): boolean => type.startsWith("server.")

/** What a webhook is sent when somebody tries it; nobody subscribes to it. */
export const testType = "webhook.test"

/** Types that a webhook may ask for, in their order. What happens to webhooks is told to nobody: it would tell of itself. */
export const webhookTypes: ReadonlyArray<string> = [
  ...new Set([...Object.values(typeOfOperation), ...ownTypes].filter((type) => !type.startsWith("webhook.")))
].sort()

/** The type of the event of an operation; undefined where the operation is not known. */
export const eventTypeOf = (operation: string): string | undefined => typeOfOperation[operation]

/** Where an event happened. */
export interface EventPlace {
  readonly organizationId: OrganizationId
  readonly applicationId: number | null
  readonly environmentId: number | null
}

/** Something that happened, as its receivers are told of it. */
export interface WebhookEvent extends EventPlace {
  /** The same in every message of it, so that a receiver knows one that it has had. */
  readonly id: string
  readonly type: string
  /** Epoch ms. */
  readonly at: number
  readonly object: { readonly kind: string; readonly id: string | null; readonly name: string | null }
  /** What else is told of it. */
  readonly more: { readonly [key: string]: Json }
}

/** Values of an entry that a message tells, and characters of each. */
const mostChanges = 50
const longest = 200

const cut = (text: string | null): string | null => {
  const first = text === null ? null : firstCharacters(text, longest)
  return first === text ? text : `${first}…`
}

/** The event of a change that was made; undefined for one of a webhook or of nobody's interest. */
export const eventOfChange = (
  id: string,
  organizationId: OrganizationId,
  content: AuditContent
): WebhookEvent | undefined => {
  const type = eventTypeOf(content.operation)
  if (type === undefined || type.startsWith("webhook.")) return undefined
  const { at, actor, reason, outcome, applicationId, environmentId, object, requestId, operation } = content
  return {
    id,
    type,
    at,
    organizationId,
    applicationId,
    environmentId,
    object,
    more: {
      actor: { ...actor },
      operation,
      requestId,
      reason,
      outcome,
      changes: content.changes
        .slice(0, mostChanges)
        .map(({ path, before, after }) => ({ path, before: cut(before), after: cut(after) })),
      moreChanges: content.moreChanges + Math.max(0, content.changes.length - mostChanges)
    }
  }
}

/** What stays in order: events of one object. */
export const objectKeyOf = ({ object, type, id }: WebhookEvent): string => {
  const [kind = type] = type.split(".")
  return `${kind}:${object.id ?? id}`
}

/** The body of a message, as Standard Webhooks has it. */
export const messageOf = ({ type, at, object, more, ...place }: WebhookEvent): string => {
  const { organizationId, applicationId, environmentId } = place
  return JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: { organizationId, applicationId, environmentId, object, ...more }
  })
}
