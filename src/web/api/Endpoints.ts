import type { CreateApiKey } from "../../../schema/access/ApiKeys.ts"
import type { SignIn, SignUp, SwitchAccount } from "../../../schema/access/Accounts.ts"
import type { CreateEnvironment, UpdateEnvironment } from "../../../schema/access/Environments.ts"
import type { CreateInvitation } from "../../../schema/access/Invitations.ts"
import type { KeyRotation } from "../../../schema/access/KeyRecord.ts"
import type { CreateOrganization, RoleChange, UpdateOrganization } from "../../../schema/access/Organizations.ts"
import type { CreatePersonalToken } from "../../../schema/access/PersonalTokens.ts"
import type { CreateApplication, UpdateApplication } from "../../../schema/access/Projects.ts"
import type { RoleDefinition } from "../../../schema/access/Roles.ts"
import type { ChangePassword, UpdateUser } from "../../../schema/access/Users.ts"
import type { BoardChange, BoardDefinition } from "../../../schema/analytics/Boards.ts"
import type { ExecuteQuery, ExecutionReference, RequestExecution } from "../../../schema/analytics/Executions.ts"
import type { FunnelQuery, FunnelUsersQuery } from "../../../schema/analytics/Funnels.ts"
import type { HeatmapQuery } from "../../../schema/analytics/HeatmapQueries.ts"
import type { HeatmapDefinition } from "../../../schema/analytics/Heatmaps.ts"
import type { InsightQuery } from "../../../schema/analytics/Insights.ts"
import type { HeatmapUsersQuery, InsightUsersQuery, RetentionUsersQuery } from "../../../schema/analytics/QueryUsers.ts"
import type { MetadataChange, RawMarkersQuery } from "../../../schema/analytics/Markers.ts"
import type { RetentionQuery } from "../../../schema/analytics/Retention.ts"
import type { CheckConfiguration } from "../../../schema/configuration/ConfigurationDrafts.ts"
import type {
  CopyConfiguration,
  CreateConfiguration,
  PatchConfiguration,
  RevertConfiguration
} from "../../../schema/configuration/ConfigurationRecord.ts"
import type { EstimateExperiment } from "../../../schema/experiments/Estimate.ts"
import type { CreateExperiment, UpdateExperiment } from "../../../schema/experiments/ExperimentRecord.ts"
import type { TerminateExperiment } from "../../../schema/experiments/Experiments.ts"
import type { RolloutChange } from "../../../schema/experiments/Rollout.ts"
import type { CreateDeeplink, UpdateDeeplink } from "../../../schema/deeplinks/Deeplinks.ts"
import type { AssignedUnit, SetAssignment } from "../../../schema/experiments/AssignmentRecord.ts"
import type { CohortChange, CohortRequest } from "../../../schema/cohorts/CohortRequests.ts"
import type { ExecuteCohort } from "../../../schema/cohorts/Cohorts.ts"
import type { SavedQueryDefinition } from "../../../schema/analytics/SavedQueries.ts"
import type { EndpointName, Payload } from "./Wire.ts"

/** Method and path of each endpoint that the dashboard calls. A test compares them with the contract. */
export const endpoints = {
  "accounts.signUp": "POST /users/auth/signup",
  "accounts.signUpPolicy": "GET /users/auth/signup",
  "accounts.signIn": "POST /users/auth/signin",
  "accounts.signOut": "POST /users/auth/signout",
  "accounts.list": "GET /users/auth/accounts",
  "accounts.switch": "POST /users/auth/accounts/switch",
  "accounts.remove": "DELETE /users/auth/accounts/:handle",
  "users.me": "GET /users/me",
  "users.updateMe": "PATCH /users/me",
  "users.changePassword": "POST /users/me/password",
  "users.sessions": "GET /users/sessions",
  "users.endOtherSessions": "DELETE /users/sessions",
  "users.endSession": "DELETE /users/sessions/:sessionId",
  "personalTokens.list": "GET /users/personal-access-tokens",
  "personalTokens.create": "POST /users/personal-access-tokens",
  "personalTokens.rotate": "POST /users/personal-access-tokens/:patId/rotate",
  "personalTokens.deactivate": "DELETE /users/personal-access-tokens/:patId",
  "invitations.list": "GET /organization/:organizationId/invitations",
  "invitations.create": "POST /organization/:organizationId/invitations",
  "invitations.revoke": "DELETE /organization/:organizationId/invitations/:invitationId",
  "invitations.accept": "POST /users/invitations/:token/accept",
  "organizations.list": "GET /organization",
  "organizations.create": "POST /organization",
  "organizations.update": "PATCH /organization/:organizationId",
  "organizations.members": "GET /organization/:organizationId/members",
  "organizations.setMemberRole": "PUT /organization/:organizationId/members/:membershipId/role",
  "organizations.removeMember": "DELETE /organization/:organizationId/members/:membershipId",
  "icons.put": "PUT /organization/:organizationId/icon",
  "icons.remove": "DELETE /organization/:organizationId/icon",
  "roles.list": "GET /organization/:organizationId/v2/roles",
  "roles.create": "POST /organization/:organizationId/v2/roles",
  "roles.update": "PUT /organization/:organizationId/v2/roles/:roleId",
  "roles.remove": "DELETE /organization/:organizationId/v2/roles/:roleId",
  "roles.projectGrants": "GET /organization/:organizationId/projects/:applicationId/grants",
  "roles.setProjectGrant": "PUT /organization/:organizationId/projects/:applicationId/grants/:membershipId",
  "roles.removeProjectGrant": "DELETE /organization/:organizationId/projects/:applicationId/grants/:membershipId",
  "projects.get": "GET /application/:applicationId",
  "projects.permissions": "GET /application/:applicationId/permissions",
  "projects.create": "POST /organization/:organizationId/projects",
  "projects.update": "PATCH /application/:applicationId",
  "projects.remove": "DELETE /application/:applicationId",
  "environments.list": "GET /application/:applicationId/environments",
  "environments.create": "POST /application/:applicationId/environments",
  "environments.update": "PATCH /application/:applicationId/environments/:environmentId",
  "environments.remove": "DELETE /application/:applicationId/environments/:environmentId",
  "apiKeys.list": "GET /organization/:organizationId/api-keys",
  "apiKeys.create": "POST /organization/:organizationId/api-keys",
  "apiKeys.rotate": "POST /organization/:organizationId/api-keys/:apiKeyId/rotate",
  "apiKeys.deactivate": "DELETE /organization/:organizationId/api-keys/:apiKeyId",
  "markers.types": "GET /application/:applicationId/analytics/v1/markers/types",
  "markers.arguments": "GET /application/:applicationId/analytics/v1/markers/arguments",
  "markers.properties": "GET /application/:applicationId/analytics/v1/markers/properties",
  "markers.argumentValues": "GET /application/:applicationId/analytics/v1/markers/arguments/values",
  "markers.propertyValues": "GET /application/:applicationId/analytics/v1/markers/properties/values",
  "markers.raw": "POST /application/:applicationId/analytics/v1/markers/raw",
  "markers.setMetadata": "PUT /application/:applicationId/analytics/v1/markers/metadata",
  "savedQueries.list": "GET /application/:applicationId/analytics/v1/queries",
  "savedQueries.create": "POST /application/:applicationId/analytics/v1/queries",
  "savedQueries.get": "GET /application/:applicationId/analytics/v1/queries/:queryId",
  "savedQueries.update": "PUT /application/:applicationId/analytics/v1/queries/:queryId",
  "savedQueries.remove": "DELETE /application/:applicationId/analytics/v1/queries/:queryId",
  "savedQueries.request": "POST /application/:applicationId/analytics/v1/queries/:queryId/executions",
  "savedQueries.state": "POST /application/:applicationId/analytics/v1/queries/:queryId/executions/state",
  "savedQueries.cancel": "POST /application/:applicationId/analytics/v1/queries/:queryId/executions/cancel",
  "savedQueries.execute": "POST /application/:applicationId/analytics/v1/queries/:queryId/execute",
  "queryStars.set": "PUT /application/:applicationId/analytics/v1/queries/:queryId/star",
  "queryStars.remove": "DELETE /application/:applicationId/analytics/v1/queries/:queryId/star",
  "boards.list": "GET /application/:applicationId/boards",
  "boards.create": "POST /application/:applicationId/boards",
  "boards.get": "GET /application/:applicationId/boards/:boardId",
  "boards.update": "PUT /application/:applicationId/boards/:boardId",
  "boards.remove": "DELETE /application/:applicationId/boards/:boardId",
  "cohorts.list": "GET /application/:applicationId/analytics/v1/cohorts",
  "cohorts.create": "POST /application/:applicationId/analytics/v1/cohorts",
  "cohorts.execute": "POST /application/:applicationId/analytics/v1/cohorts/execute",
  "cohorts.get": "GET /application/:applicationId/analytics/v1/cohorts/:cohortId",
  "cohorts.update": "PUT /application/:applicationId/analytics/v1/cohorts/:cohortId",
  "cohorts.remove": "DELETE /application/:applicationId/analytics/v1/cohorts/:cohortId",
  "cohorts.members": "GET /application/:applicationId/analytics/v1/cohorts/:cohortId/members",
  "cohorts.membership": "GET /application/:applicationId/analytics/v1/cohorts/:cohortId/membership",
  "cohorts.usages": "GET /application/:applicationId/analytics/v1/cohorts/usage",
  "cohorts.usage": "GET /application/:applicationId/analytics/v1/cohorts/:cohortId/usage",
  "experiments.list": "GET /application/:applicationId/v2/experiments",
  "experiments.create": "POST /application/:applicationId/v2/experiments",
  "experiments.estimate": "POST /application/:applicationId/v2/experiments/estimate",
  "experiments.contextProperties": "GET /application/:applicationId/v2/experiments/context-properties",
  "experiments.assignmentCounts": "GET /application/:applicationId/v2/experiments/assignment-counts",
  "experiments.update": "PATCH /application/:applicationId/v2/experiments/:experimentId",
  "experiments.rollout": "GET /application/:applicationId/v2/experiments/:experimentId/rollout",
  "experiments.changeRollout": "PATCH /application/:applicationId/v2/experiments/:experimentId/rollout",
  "experiments.groupCounts": "GET /application/:applicationId/v2/experiments/:experimentId/assignment-counts",
  "experiments.terminate": "POST /application/:applicationId/v2/experiments/:experimentId/terminate",
  "experiments.get": "GET /application/:applicationId/v2/experiments/:experimentId",
  "experiments.results": "GET /application/:applicationId/v2/experiments/:experimentId/results",
  "configurations.list": "GET /application/:applicationId/v2/configurations",
  "configurations.get": "GET /application/:applicationId/v2/configuration/:configurationId",
  "configurations.create": "POST /application/:applicationId/v2/configuration",
  "configurations.patch": "PATCH /application/:applicationId/v2/configuration/:configurationId",
  "configurations.remove": "DELETE /application/:applicationId/v2/configuration/:configurationId",
  "configurations.copy": "POST /application/:applicationId/v2/configuration/:configurationId/copy",
  "configurations.makePrimary": "PUT /application/:applicationId/v2/configuration/:configurationId/primary",
  "configurations.versions": "GET /application/:applicationId/v2/configuration/:configurationId/versions",
  "configurations.diff": "GET /application/:applicationId/v2/configuration/:configurationId/diff",
  "configurations.revert": "POST /application/:applicationId/v2/configuration/:configurationId/revert",
  "configurations.check": "POST /application/:applicationId/v2/configuration/:configurationId/check",
  "deeplinks.list": "GET /application/:applicationId/deeplinks",
  "deeplinks.create": "POST /application/:applicationId/deeplinks",
  "deeplinks.get": "GET /application/:applicationId/deeplinks/:deeplinkId",
  "deeplinks.update": "PUT /application/:applicationId/deeplinks/:deeplinkId",
  "deeplinks.remove": "DELETE /application/:applicationId/deeplinks/:deeplinkId",
  "deeplinks.conversions": "GET /application/:applicationId/deeplinks/:deeplinkId/conversions",
  "notes.list": "GET /application/:applicationId/changes",
  "queries.insights": "POST /application/:applicationId/analytics/v1/queries/insights/execute",
  "queries.insightUsers": "POST /application/:applicationId/analytics/v1/queries/insights/users",
  "queries.funnels": "POST /application/:applicationId/analytics/v1/queries/funnels/execute",
  "queries.funnelUsers": "POST /application/:applicationId/analytics/v1/queries/funnels/users",
  "queries.funnelNext": "POST /application/:applicationId/analytics/v1/queries/funnels/next",
  "queries.retention": "POST /application/:applicationId/analytics/v1/queries/retention/execute",
  "queries.retentionUsers": "POST /application/:applicationId/analytics/v1/queries/retention/users",
  "queries.heatmaps": "POST /application/:applicationId/analytics/v1/queries/heatmaps/execute",
  "queries.heatmapUsers": "POST /application/:applicationId/analytics/v1/queries/heatmaps/users",
  "heatmaps.list": "GET /application/:applicationId/analytics/v1/heatmaps",
  "heatmaps.create": "POST /application/:applicationId/analytics/v1/heatmaps",
  "heatmaps.get": "GET /application/:applicationId/analytics/v1/heatmaps/:heatmapId",
  "heatmaps.update": "PUT /application/:applicationId/analytics/v1/heatmaps/:heatmapId",
  "heatmaps.remove": "DELETE /application/:applicationId/analytics/v1/heatmaps/:heatmapId",
  "heatmaps.putImage": "PUT /application/:applicationId/analytics/v1/heatmaps/:heatmapId/image",
  "players.list": "GET /application/:applicationId/players",
  "players.get": "GET /application/:applicationId/players/:unitId",
  "players.configuration": "GET /application/:applicationId/players/:unitId/configurations/:configurationId",
  "players.export": "GET /application/:applicationId/players/:unitId/export",
  "players.erase": "DELETE /application/:applicationId/players/:unitId",
  "assignments.set": "POST /application/:applicationId/v2/experiments/:experimentId/assignments",
  "assignments.reactivate": "POST /application/:applicationId/v2/experiments/:experimentId/assignments/reactivate",
  "assignments.unenroll": "POST /application/:applicationId/v2/experiments/:experimentId/assignments/unenroll"
} as const satisfies Partial<Record<EndpointName, string>>

export type Called = keyof typeof endpoints

type ParametersIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The parts of the path that a caller fills in. */
export type PathOf<N extends Called> = { readonly [Name in ParametersIn<(typeof endpoints)[N]>]: string | number }

/** Schemas of the bodies, which say how each is written, defaults left out. */
interface Bodies {
  readonly "accounts.signUp": typeof SignUp
  readonly "accounts.signIn": typeof SignIn
  readonly "accounts.switch": typeof SwitchAccount
  readonly "users.updateMe": typeof UpdateUser
  readonly "users.changePassword": typeof ChangePassword
  readonly "personalTokens.create": typeof CreatePersonalToken
  readonly "personalTokens.rotate": typeof KeyRotation
  readonly "invitations.create": typeof CreateInvitation
  readonly "organizations.create": typeof CreateOrganization
  readonly "organizations.update": typeof UpdateOrganization
  readonly "organizations.setMemberRole": typeof RoleChange
  readonly "roles.create": typeof RoleDefinition
  readonly "roles.update": typeof RoleDefinition
  readonly "roles.setProjectGrant": typeof RoleChange
  readonly "projects.create": typeof CreateApplication
  readonly "projects.update": typeof UpdateApplication
  readonly "environments.create": typeof CreateEnvironment
  readonly "environments.update": typeof UpdateEnvironment
  readonly "apiKeys.create": typeof CreateApiKey
  readonly "apiKeys.rotate": typeof KeyRotation
  readonly "markers.raw": typeof RawMarkersQuery
  readonly "configurations.create": typeof CreateConfiguration
  readonly "configurations.patch": typeof PatchConfiguration
  readonly "configurations.copy": typeof CopyConfiguration
  readonly "configurations.revert": typeof RevertConfiguration
  readonly "configurations.check": typeof CheckConfiguration
  readonly "deeplinks.create": typeof CreateDeeplink
  readonly "deeplinks.update": typeof UpdateDeeplink
  readonly "markers.setMetadata": typeof MetadataChange
  readonly "cohorts.create": typeof CohortRequest
  readonly "cohorts.execute": typeof ExecuteCohort
  readonly "cohorts.update": typeof CohortChange
  readonly "savedQueries.create": typeof SavedQueryDefinition
  readonly "savedQueries.update": typeof SavedQueryDefinition
  readonly "savedQueries.execute": typeof ExecuteQuery
  readonly "savedQueries.request": typeof RequestExecution
  readonly "savedQueries.state": typeof ExecutionReference
  readonly "savedQueries.cancel": typeof ExecutionReference
  readonly "boards.create": typeof BoardDefinition
  readonly "boards.update": typeof BoardChange
  readonly "queries.insights": typeof InsightQuery
  readonly "queries.insightUsers": typeof InsightUsersQuery
  readonly "queries.funnels": typeof FunnelQuery
  readonly "queries.funnelUsers": typeof FunnelUsersQuery
  readonly "queries.funnelNext": typeof FunnelUsersQuery
  readonly "queries.retention": typeof RetentionQuery
  readonly "queries.retentionUsers": typeof RetentionUsersQuery
  readonly "experiments.create": typeof CreateExperiment
  readonly "experiments.estimate": typeof EstimateExperiment
  readonly "experiments.update": typeof UpdateExperiment
  readonly "experiments.changeRollout": typeof RolloutChange
  readonly "experiments.terminate": typeof TerminateExperiment
  readonly "queries.heatmaps": typeof HeatmapQuery
  readonly "queries.heatmapUsers": typeof HeatmapUsersQuery
  readonly "heatmaps.create": typeof HeatmapDefinition
  readonly "heatmaps.update": typeof HeatmapDefinition
  readonly "assignments.set": typeof SetAssignment
  readonly "assignments.reactivate": typeof AssignedUnit
  readonly "assignments.unenroll": typeof AssignedUnit
}

/** The body as it is sent: nothing where the endpoint takes none, and `never` where the contract takes another schema. */
export type BodyOf<N extends Called> = N extends keyof Bodies
  ? [Payload<N>] extends [Bodies[N]["Type"]]
    ? Bodies[N]["Encoded"]
    : never
  : undefined
