import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Grant, Role } from "../../domain/access/Role.ts"
import type { ApplicationId, MembershipId, OrganizationId, RoleId } from "../../domain/Ids.ts"

/** Roles of organizations, and the grants that give them to members. */
export class RoleRepo extends Context.Tag("ports/access/RoleRepo")<
  RoleRepo,
  {
    /** None when the organization already has a role of that name. */
    readonly insert: (role: Omit<Role, "id">) => Effect.Effect<Option.Option<Role>>
    /** None when another role of the organization has that name. */
    readonly update: (role: Role) => Effect.Effect<Option.Option<Role>>
    /** Removes the role and the invitations to it. Dies, and removes nothing, if a member still holds the role. */
    readonly remove: (id: RoleId) => Effect.Effect<void>
    readonly find: (organizationId: OrganizationId, id: RoleId) => Effect.Effect<Option.Option<Role>>
    /** By id, ascending: built-in roles first. */
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Role>>

    /**
     * Grants a member a role in the organization (`applicationId` null) or in one project, replacing the member's
     * previous grant there.
     */
    readonly putGrant: (grant: Omit<Grant, "id">) => Effect.Effect<Grant>
    /** Takes back the member's grant in the organization (`applicationId` null) or in the project, if there is one. */
    readonly removeGrant: (membershipId: MembershipId, applicationId: ApplicationId | null) => Effect.Effect<void>
    /** Every grant of one member, of the organization and of projects. */
    readonly grantsOf: (membershipId: MembershipId) => Effect.Effect<ReadonlyArray<Grant>>
    /** Every grant in the organization, by id. */
    readonly grants: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Grant>>
  }
>() {}
