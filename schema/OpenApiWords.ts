import type { OpenApi } from "@effect/platform"
import { tidy } from "./OpenApiSchemas.ts"

/** What each parameter is, by its name: one name means one thing everywhere. */
const parameters: Readonly<Record<string, string>> = {
  alertId: "The alert",
  applicationId: "The project, also called application",
  apiKeyId: "The API key",
  asOf: "What an earlier export told in `gamekeeper-as-of`: what came later is left out",
  breakdown: "What sources are told apart by",
  at: "The instant that counts instead of now",
  cohortId: "The cohort",
  configName: "Name or alias of a configuration",
  configuration: "Alias or name of a configuration; without it the primary one",
  configurationId: "The configuration",
  correction: "How p-values are corrected for many comparisons",
  createdBy: "Only what this user has made",
  cursor: "The nextCursor of the page before",
  deeplinkId: "The deeplink",
  direction: "Whether the smallest or the largest comes first; without it the newest, the most, or the ids from A on",
  distinctId: "The unit that asks",
  environment:
    "Alias of the environment that the game means; without it what isstudio says, and without both development under /sdk/v1 and production under /sdk/v2",
  environmentId: "The environment",
  environment_id: "The environment; where it may be left out, the project's production environment",
  experimentId: "The experiment",
  filters:
    "JSON text: a list of conditions on properties, cohorts and experiments, as in queries, all or any of which hold",
  format: "How the file is written; without it as `Accept` says",
  from: "Where the range begins, inclusive",
  groupId: "Only assignments to this group",
  identityId: "The identity at a provider",
  passkeyId: "The passkey",
  handle: "The account's name within this browser",
  hash: "The hash that the caller knows; an unchanged answer is then 304",
  boardId: "The board",
  backupId: "The backup",
  heatmapId: "The heatmap definition",
  id: "The unit; once for each unit",
  "if-none-match": "The tag that the caller knows; an unchanged answer is then 304",
  include: "What else the list is to hold",
  invitationId: "The invitation",
  isstudio: "true means development and false production, where environment names none",
  "last-event-id": "The id of the last event that was read; the stream goes on after it",
  kind: "Only changes of this kind of object, such as configurations",
  limit: "How many items an answer holds at most",
  markers: "1 shows some of the markers themselves beside their counts",
  membershipId: "The membership of a user in the organization",
  match: "Whether all conditions must hold or any of them",
  metric: "Only this metric",
  multipleExposure: "What counts for units that were exposed to several groups",
  name: "The name, as it was first sent",
  objectId: "Only changes of the object with this id",
  operation: "Only changes by this endpoint, such as configurations.update",
  organizationId: "The organization",
  page: "Which page, counted from 1",
  pageSize: "How many items a page holds",
  patId: "The personal access token",
  platform: "The platform that the game runs on",
  prior: "What the Bayesian figures assume before any data",
  properties: "A property that is shown; once for each property",
  "project-id": "The project, for keys of several projects",
  queryId: "The saved query",
  roleId: "The role",
  sdkversion: "Version of the client",
  search: "Only what holds this text; of players, those whose id begins with it",
  "server-id": "The game server that asks",
  serverId: "The game server",
  serverid: "The game server that asks",
  returnTo: "The page of this server to which the sign-in leads back; its first one where it is of another server",
  sessionId: "The sign-in",
  slug: "The deeplink's slug",
  sort: "What the list is ordered by",
  source: "Only assignments made this way",
  status: "Only those of this status",
  step: "Width of the buckets over time",
  to: "Where the range ends, exclusive",
  token: "The token of the invitation",
  starred: "Only what the caller has given a star, or only what the caller has not",
  type: "Only of this type: of markers, of saved queries, or of events",
  types: "A marker type that is wanted; once for each type, and without it all",
  "unit-type": "Only experiments on this kind of unit",
  unitId: "The unit, as markers name it",
  universeid: "The universe that the game server runs in",
  state: "Only what is in this state",
  webhookId: "The webhook",
  deliveryId: "The delivery",
  "x-change-reason": "Why it is changed, for the log of changes",
  userId: "The user",
  v: "The content tag that the image's address carries; the answer to it never changes",
  version: "The number of the version"
}

const credentials: Readonly<Record<string, string>> = {
  session: "a signed-in browser",
  personal: "a personal access token",
  secret: "a secret server key",
  public: "a public SDK key"
}

const listed = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`

const access = (security: ReadonlyArray<OpenApi.OpenAPISecurityRequirement>): string => {
  const kinds = security.flatMap((requirement) => Object.keys(requirement).map((kind) => credentials[kind] ?? kind))
  if (kinds.length === 0) return "Asks for no credential."
  return `Asks for ${listed(kinds)}${security.length > kinds.length ? ", or nothing" : ""}.`
}

type Operation = OpenApi.OpenAPISpecOperation

/** Description and parameters of an operation, in words. */
export const described = (operation: Operation, security: ReadonlyArray<OpenApi.OpenAPISecurityRequirement>) => ({
  description: operation.description ?? `${operation.summary ?? ""}. ${access(security)}`,
  parameters: operation.parameters.map((parameter) => ({
    ...parameter,
    schema: tidy(parameter.schema),
    description: parameters[parameter.name] ?? ""
  }))
})
