import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { Invitation, Membership, Organization, NewOrganization } from "../../domain/access/Organization.ts"
import type { InvitationId, MembershipId, OrganizationId, UserId } from "../../domain/Ids.ts"

/** The picture of an organization, as it was uploaded. */
export interface Icon {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Organizations with their icons, members and invitations. */
export class OrganizationRepo extends Context.Tag("ports/access/OrganizationRepo")<
  OrganizationRepo,
  {
    readonly insert: (organization: NewOrganization) => Effect.Effect<Organization>
    /** Overwrites the organization of that id. */
    readonly update: (organization: Organization) => Effect.Effect<Organization>
    /** Whether there is any organization; each has an owner from its first instant on. */
    readonly exists: Effect.Effect<boolean>
    readonly find: (id: OrganizationId) => Effect.Effect<Option.Option<Organization>>
    /** Organizations the user is a member of, oldest membership first. */
    readonly listOfUser: (
      userId: UserId
    ) => Effect.Effect<ReadonlyArray<{ readonly organization: Organization; readonly membership: Membership }>>

    readonly icon: (id: OrganizationId) => Effect.Effect<Option.Option<Icon>>
    /** Stores the icon, or removes it with null. `Organization.iconTag` is updated apart. */
    readonly putIcon: (id: OrganizationId, icon: Icon | null) => Effect.Effect<void>

    /** None when the user already is a member. */
    readonly addMember: (membership: Omit<Membership, "id">) => Effect.Effect<Option.Option<Membership>>
    /** Removes the member with all its grants. */
    readonly removeMember: (id: MembershipId) => Effect.Effect<void>
    readonly findMember: (organizationId: OrganizationId, id: MembershipId) => Effect.Effect<Option.Option<Membership>>
    readonly findMemberByUser: (
      organizationId: OrganizationId,
      userId: UserId
    ) => Effect.Effect<Option.Option<Membership>>
    /** By id, ascending. */
    readonly members: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Membership>>

    readonly insertInvitation: (invitation: Omit<Invitation, "id">) => Effect.Effect<Invitation>
    /** Overwrites the invitation of that id. */
    readonly updateInvitation: (invitation: Invitation) => Effect.Effect<Invitation>
    readonly removeInvitation: (id: InvitationId) => Effect.Effect<void>
    /** Removes invitations that ended before the instant (epoch ms) and that nobody has accepted. */
    readonly expireInvitations: (before: number) => Effect.Effect<void>
    readonly findInvitation: (
      organizationId: OrganizationId,
      id: InvitationId
    ) => Effect.Effect<Option.Option<Invitation>>
    /** The invitation of that token, whether it is pending, accepted or expired. */
    readonly findInvitationByHash: (tokenHash: string) => Effect.Effect<Option.Option<Invitation>>
    /** Whether any organization has an invitation of the e-mail address, in any case, that is pending at `now`. */
    readonly isInvited: (email: string, now: DateTime.Utc) => Effect.Effect<boolean>
    /** All invitations to the organization, accepted and expired ones included, by id, ascending. */
    readonly invitations: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Invitation>>
  }
>() {}
