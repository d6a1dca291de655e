import { Schema } from "effect"

const id = <const B extends string>(brand: B) => Schema.Int.pipe(Schema.positive(), Schema.brand(brand))

const uuid = <const B extends string>(brand: B) => Schema.UUID.pipe(Schema.brand(brand))

export const UserId = uuid("UserId")
export type UserId = typeof UserId.Type

export const PasskeyId = id("PasskeyId")
export type PasskeyId = typeof PasskeyId.Type

export const IdentityId = id("IdentityId")
export type IdentityId = typeof IdentityId.Type

export const OrganizationId = id("OrganizationId")
export type OrganizationId = typeof OrganizationId.Type

export const MembershipId = id("MembershipId")
export type MembershipId = typeof MembershipId.Type

export const InvitationId = id("InvitationId")
export type InvitationId = typeof InvitationId.Type

export const RoleId = id("RoleId")
export type RoleId = typeof RoleId.Type

export const GrantId = id("GrantId")
export type GrantId = typeof GrantId.Type

export const ApplicationId = id("ApplicationId")
export type ApplicationId = typeof ApplicationId.Type

export const EnvironmentId = id("EnvironmentId")
export type EnvironmentId = typeof EnvironmentId.Type

export const ApiKeyId = id("ApiKeyId")
export type ApiKeyId = typeof ApiKeyId.Type

export const CohortId = id("CohortId")
export type CohortId = typeof CohortId.Type

export const ConfigurationId = id("ConfigurationId")
export type ConfigurationId = typeof ConfigurationId.Type

export const ExperimentId = id("ExperimentId")
export type ExperimentId = typeof ExperimentId.Type

export const ExperimentGroupId = id("ExperimentGroupId")
export type ExperimentGroupId = typeof ExperimentGroupId.Type

export const QueryId = uuid("QueryId")
export type QueryId = typeof QueryId.Type

export const ExecutionId = uuid("ExecutionId")
export type ExecutionId = typeof ExecutionId.Type

export const BoardId = uuid("BoardId")
export type BoardId = typeof BoardId.Type

export const HeatmapId = uuid("HeatmapId")
export type HeatmapId = typeof HeatmapId.Type

export const DeeplinkId = uuid("DeeplinkId")
export type DeeplinkId = typeof DeeplinkId.Type

export const WebhookId = uuid("WebhookId")
export type WebhookId = typeof WebhookId.Type

export const DeliveryId = id("DeliveryId")
export type DeliveryId = typeof DeliveryId.Type

export const AlertId = uuid("AlertId")
export type AlertId = typeof AlertId.Type

export const IncidentId = id("IncidentId")
export type IncidentId = typeof IncidentId.Type
