import { DateTime, Effect, Option } from "effect"
import { Principal } from "../../schema/Auth.ts"
import { ApplicationNotFound, GrantNotFound, LastOwner, MemberNotFound, RoleNotFound } from "../../schema/Errors.ts"
import { ownersOf } from "../domain/access/Access.ts"
import type { Membership } from "../domain/access/Organization.ts"
import { userOf } from "../domain/access/Principal.ts"
import type { Grant, Role } from "../domain/access/Role.ts"
import type { ApplicationId, MembershipId, OrganizationId, RoleId } from "../domain/Ids.ts"
import { OrganizationRepo } from "../ports/OrganizationRepo.ts"
import { ProjectRepo } from "../ports/ProjectRepo.ts"
import { RoleRepo } from "../ports/RoleRepo.ts"
import { Transaction } from "../ports/Transaction.ts"
import { MemberView } from "./MemberView.ts"
import { Policy } from "./Policy.ts"

/** Which member holds which role: in the organization, and in single projects instead of it. */
export class Grants extends Effect.Service<Grants>()("services/Grants", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const projects = yield* ProjectRepo
    const roles = yield* RoleRepo
    const transaction = yield* Transaction
    const policy = yield* Policy
    const view = yield* MemberView

    const memberOf = Effect.fnUntraced(function* (organizationId: OrganizationId, id: MembershipId) {
      const found = yield* organizations.findMember(organizationId, id)
      return yield* Effect.mapError(
        found,
        () => new MemberNotFound({ message: `Member ${id} does not exist in organization ${organizationId}` })
      )
    })

    const roleOf = Effect.fnUntraced(function* (organizationId: OrganizationId, id: RoleId) {
      const found = yield* roles.find(organizationId, id)
      return yield* Effect.mapError(
        found,
        () => new RoleNotFound({ message: `Role ${id} does not exist in organization ${organizationId}` })
      )
    })

    const projectOf = Effect.fnUntraced(function* (organizationId: OrganizationId, id: ApplicationId) {
      const found = yield* projects.find(id)
      if (Option.isNone(found) || found.value.organizationId !== organizationId) {
        return yield* Effect.fail(
          new ApplicationNotFound({ message: `Application ${id} does not exist in organization ${organizationId}` })
        )
      }
    })

    const heldRole = Effect.fnUntraced(function* (membership: Membership, applicationId: ApplicationId | null) {
      const grants = yield* roles.grantsOf(membership.id)
      const grant = grants.find((each) => each.applicationId === applicationId)
      return grant === undefined ? Option.none() : yield* roles.find(membership.organizationId, grant.roleId)
    })

    /** An organization always keeps an owner who can let others in. */
    const keepOwner = Effect.fnUntraced(function* (membership: Membership) {
      const { organizationId } = membership
      const owners = ownersOf(yield* roles.grants(organizationId), yield* roles.list(organizationId))
      if (owners.every((owner) => owner === membership.id)) {
        return yield* Effect.fail(
          new LastOwner({ message: "The last owner of an organization can neither leave it nor lose the Owner role" })
        )
      }
    })

    const give = Effect.fnUntraced(function* (
      { organizationId, id }: Membership,
      role: Role,
      applicationId: ApplicationId | null
    ) {
      const createdBy = userOf(yield* Principal)?.id ?? null
      const createdAt = yield* DateTime.now
      return yield* roles.putGrant({
        organizationId,
        applicationId,
        membershipId: id,
        roleId: role.id,
        createdAt,
        createdBy
      })
    })

    /** Takes the member's role in the organization away, as far as the caller may. */
    const release = Effect.fn("Grants.release")(function* (membership: Membership) {
      const held = yield* heldRole(membership, null)
      if (Option.isNone(held) || held.value.builtin !== "Owner") return
      yield* policy.mayTakeRole(held.value)
      yield* keepOwner(membership)
    })

    const list = Effect.fn("Grants.list")(function* (
      organizationId: OrganizationId,
      applicationId: ApplicationId | null
    ) {
      yield* policy.organization("members:read", organizationId)
      if (applicationId !== null) yield* projectOf(organizationId, applicationId)
      const grants = yield* roles.grants(organizationId)
      return yield* view.grants(
        organizationId,
        grants.filter((grant) => grant.applicationId === applicationId)
      )
    })
