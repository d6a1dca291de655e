import type { CreateApiKey } from "../../../schema/access/ApiKeys.ts"
import type { SignIn, SignUp, SwitchAccount } from "../../../schema/access/Accounts.ts"
import type { CreateEnvironment, UpdateEnvironment } from "../../../schema/access/Environments.ts"
import type { CreateInvitation } from "../../../schema/access/Invitations.ts"
import type { KeyChange, KeyRotation } from "../../../schema/access/KeyRecord.ts"
import type { CreateOrganization, RoleChange, UpdateOrganization } from "../../../schema/access/Organizations.ts"
import type { RequestPasswordReset, UsePasswordReset } from "../../../schema/access/PasswordResets.ts"
import type { AddPasskey, BeginPasskey, PasskeySignIn } from "../../../schema/access/Passkeys.ts"
import type { ConfirmSecondFactor, ProveSecondFactor, SetUpSecondFactor } from "../../../schema/access/SecondFactors.ts"
import type { CreatePersonalToken } from "../../../schema/access/PersonalTokens.ts"
import type { CreateApplication, UpdateApplication } from "../../../schema/access/Projects.ts"
import type { ReplaceRole, RoleDefinition } from "../../../schema/access/Roles.ts"
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
import type { StartExperiment } from "../../../schema/experiments/ExperimentDrafts.ts"
import type { CreateExperiment, ReplacePlan, UpdateExperiment } from "../../../schema/experiments/ExperimentRecord.ts"
import type { TerminateExperiment } from "../../../schema/experiments/Experiments.ts"
import type { RolloutChange } from "../../../schema/experiments/Rollout.ts"
import type { CreateDeeplink, UpdateDeeplink } from "../../../schema/deeplinks/Deeplinks.ts"
import type { AssignedUnit, SetAssignment } from "../../../schema/experiments/AssignmentRecord.ts"
import type { CohortChange, CohortRequest } from "../../../schema/cohorts/CohortRequests.ts"
import type { ExecuteCohort } from "../../../schema/cohorts/Cohorts.ts"
import type {
  AcknowledgeAlert,
  AlertDefinition,
  AlertQuestion,
  MuteAlert,
  ReplaceAlert
} from "../../../schema/operations/Alerts.ts"
import type { CreateWebhook, RotateWebhook, UpdateWebhook } from "../../../schema/operations/Webhooks.ts"
import type { SavedQueryChange, SavedQueryDefinition } from "../../../schema/analytics/SavedQueries.ts"

/** Schemas of the bodies, which say how each is written, defaults left out. */
export interface Bodies {
  readonly "accounts.signUp": typeof SignUp
  readonly "accounts.signIn": typeof SignIn
  readonly "accounts.switch": typeof SwitchAccount
  readonly "users.updateMe": typeof UpdateUser
  readonly "users.changePassword": typeof ChangePassword
  readonly "passwordResets.use": typeof UsePasswordReset
  readonly "passwordResets.request": typeof RequestPasswordReset
  readonly "passkeys.signIn": typeof PasskeySignIn
  readonly "passkeys.begin": typeof BeginPasskey
  readonly "passkeys.add": typeof AddPasskey
  readonly "secondFactors.setUp": typeof SetUpSecondFactor
  readonly "secondFactors.confirm": typeof ConfirmSecondFactor
  readonly "secondFactors.newRecoveryCodes": typeof ProveSecondFactor
  readonly "secondFactors.remove": typeof ProveSecondFactor
  readonly "personalTokens.create": typeof CreatePersonalToken
  readonly "personalTokens.rotate": typeof KeyRotation
  readonly "personalTokens.update": typeof KeyChange
  readonly "invitations.create": typeof CreateInvitation
  readonly "organizations.create": typeof CreateOrganization
  readonly "organizations.update": typeof UpdateOrganization
  readonly "organizations.setMemberRole": typeof RoleChange
  readonly "alerts.acknowledge": typeof AcknowledgeAlert
  readonly "alerts.create": typeof AlertDefinition
  readonly "alerts.mute": typeof MuteAlert
  readonly "alerts.preview": typeof AlertQuestion
  readonly "alerts.update": typeof ReplaceAlert
  readonly "webhooks.create": typeof CreateWebhook
  readonly "webhooks.rotate": typeof RotateWebhook
  readonly "webhooks.update": typeof UpdateWebhook
  readonly "roles.create": typeof RoleDefinition
  readonly "roles.update": typeof ReplaceRole
  readonly "roles.setProjectGrant": typeof RoleChange
  readonly "projects.create": typeof CreateApplication
  readonly "projects.update": typeof UpdateApplication
  readonly "environments.create": typeof CreateEnvironment
  readonly "environments.update": typeof UpdateEnvironment
  readonly "apiKeys.create": typeof CreateApiKey
  readonly "apiKeys.rotate": typeof KeyRotation
  readonly "apiKeys.update": typeof KeyChange
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
  readonly "savedQueries.update": typeof SavedQueryChange
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
  readonly "experimentDrafts.replace": typeof ReplacePlan
  readonly "experimentDrafts.start": typeof StartExperiment
  readonly "experiments.estimate": typeof EstimateExperiment
  readonly "experiments.update": typeof UpdateExperiment
  readonly "experiments.changeRollout": typeof RolloutChange
  readonly "experiments.terminate": typeof TerminateExperiment
  readonly "queries.heatmaps": typeof HeatmapQuery
  readonly "queries.heatmapArguments": typeof HeatmapUsersQuery
  readonly "queries.heatmapUsers": typeof HeatmapUsersQuery
  readonly "heatmaps.create": typeof HeatmapDefinition
  readonly "heatmaps.update": typeof HeatmapDefinition
  readonly "assignments.set": typeof SetAssignment
  readonly "assignments.reactivate": typeof AssignedUnit
  readonly "assignments.unenroll": typeof AssignedUnit
}
