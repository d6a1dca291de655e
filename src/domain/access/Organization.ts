import { DateTime } from "effect"
import type {
  ApplicationId,
  EnvironmentId,
  InvitationId,
  MembershipId,
  OrganizationId,
  RoleId,
  UserId
} from "../Ids.ts"

/** A studio. */
export interface Organization {
  readonly id: OrganizationId
  readonly name: string
  readonly color: string | null
  /** Content hash of the icon; null without one. */
  readonly iconTag: string | null
  /** Whether members who have signed in by their password alone are let do nothing in it. */
  readonly requiresSecondFactor: boolean
  readonly createdAt: DateTime.Utc
}

/** A new one demands no second factor. */
export type NewOrganization = Omit<Organization, "id" | "requiresSecondFactor">

export interface Membership {
  readonly id: MembershipId
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly createdAt: DateTime.Utc
}

export interface Invitation {
  readonly id: InvitationId
  readonly organizationId: OrganizationId
  readonly email: string
  readonly roleId: RoleId
  readonly tokenHash: string
  readonly invitedBy: UserId | null
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  readonly acceptedAt: DateTime.Utc | null
}

export type InvitationStatus = "pending" | "accepted" | "expired"

/** The invitation's status; `expired` from the instant of its end on, unless it was accepted. */
export const statusOfInvitation = (invitation: Invitation, now: DateTime.Utc): InvitationStatus =>
  invitation.acceptedAt !== null
    ? "accepted"
    : DateTime.lessThanOrEqualTo(invitation.expiresAt, now)
      ? "expired"
      : "pending"

/** A project: one game. The API calls it an application. */
export interface Application {
  readonly id: ApplicationId
  readonly organizationId: OrganizationId
  readonly name: string
  readonly sdkId: number
  readonly color: string | null
  readonly thumbnailUrl: string | null
  /** IANA zone that queries use unless they name one. */
  readonly timezone: string
  readonly createdAt: DateTime.Utc
  readonly createdBy: UserId
}

/** One data space of a project, such as production. */
export interface Environment {
  readonly id: EnvironmentId
  readonly applicationId: ApplicationId
  readonly name: string
  readonly alias: string
  /** Days its markers are kept; null: as many as those of the server. */
  readonly retentionDays: number | null
  /** Days the markers of these types are kept, whatever holds for the others. */
  readonly markerRetentionDays: Readonly<Record<string, number>>
  readonly createdAt: DateTime.Utc
}

/** A new one keeps its markers as long as the server does. */
export type NewEnvironment = Omit<Environment, "id" | "retentionDays" | "markerRetentionDays">
