import { DateTime, Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import {
  ApplicationNotFound,
  GrantNotFound,
  LastOwner,
  MemberNotFound,
  RoleNotFound
} from "../../../schema/access/AccessErrors.ts"
import type { GrantRecord } from "../../../schema/access/Roles.ts"
import { ownersOf } from "../../domain/access/Access.ts"
import type { Membership } from "../../domain/access/Organization.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { Role } from "../../domain/access/Role.ts"
import type { ApplicationId, MembershipId, OrganizationId, RoleId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { MemberView } from "./MemberView.ts"
import { Delegation } from "./Delegation.ts"
import { Policy } from "./Policy.ts"

/** Which member holds which role: in the organization, and in single projects instead of it. */
export class Grants extends Effect.Service<Grants>()("services/access/Grants", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const projects = yield* ProjectRepo
    const roles = yield* RoleRepo
    const users = yield* UserRepo
    const transaction = yield* Transaction
    const policy = yield* Policy
    const delegation = yield* Delegation
    const view = yield* MemberView

    const memberOf = Effect.fnUntraced(function* (organizationId: OrganizationId, id: MembershipId) {
      const message = `Member ${id} does not exist in organization ${organizationId}`
      const found = yield* organizations.findMember(organizationId, id)
      return yield* Effect.mapError(found, () => new MemberNotFound({ message }))
    })

    /** Who of the organization has the e-mail address, in whatever case. */
    const personOf = Effect.fnUntraced(function* (organizationId: OrganizationId, email: string) {
      const user = yield* users.findByEmail(email)
      if (Option.isNone(user)) return user
      return Option.as(yield* organizations.findMemberByUser(organizationId, user.value.id), user.value)
    })

    const roleOf = Effect.fnUntraced(function* (organizationId: OrganizationId, id: RoleId) {
      const message = `Role ${id} does not exist in organization ${organizationId}`
      return yield* Effect.mapError(yield* roles.find(organizationId, id), () => new RoleNotFound({ message }))
    })

    const within = Effect.fnUntraced(function* (organizationId: OrganizationId, id: ApplicationId) {
      const found = yield* projects.find(id)
      if (Option.isNone(found) || found.value.organizationId !== organizationId) {
        const message = `Application ${id} does not exist in organization ${organizationId}`
        return yield* Effect.fail(new ApplicationNotFound({ message }))
      }
    })

    const held = Effect.fnUntraced(function* ({ id, organizationId }: Membership, applicationId: ApplicationId | null) {
      const grant = (yield* roles.grantsOf(id)).find((each) => each.applicationId === applicationId)
      return grant === undefined ? undefined : yield* Effect.orDie(yield* roles.find(organizationId, grant.roleId))
    })

    /** Refuses to take the last owner of an organization away from it. */
    const demandAnotherOwner = Effect.fnUntraced(function* (membership: Membership) {
      const { id, organizationId } = membership
      if ((yield* held(membership, null))?.builtin !== "Owner") return
      const owners = ownersOf(yield* roles.grants(organizationId), yield* roles.list(organizationId))
      if (owners.every((owner) => owner === id)) {
        const message = "The last owner of an organization can neither leave it nor lose the Owner role"
        return yield* Effect.fail(new LastOwner({ message }))
      }
    })

    const give = Effect.fnUntraced(function* (
      { organizationId, id }: Membership,
      role: Role,
      applicationId: ApplicationId | null
    ) {
      yield* delegation.mayGiveRole(role, applicationId)
      const createdBy = userOf(yield* Principal)?.id ?? null
      const createdAt = yield* DateTime.now
      const grant = { organizationId, applicationId, membershipId: id, roleId: role.id }
      return yield* roles.putGrant({ ...grant, createdAt, createdBy })
    })

    const shown = Effect.fnUntraced(function* (organizationId: OrganizationId, applicationId: ApplicationId | null) {
      const all = yield* roles.grants(organizationId)
      const here = all.filter((grant) => grant.applicationId === applicationId)
      return (yield* view.grants(organizationId, here)) satisfies ReadonlyArray<GrantRecord>
    })

    const list = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      yield* policy.organization("members:read", organizationId)
      return yield* shown(organizationId, null)
    })

    const listInProject = Effect.fnUntraced(function* (organizationId: OrganizationId, applicationId: ApplicationId) {
      yield* policy.organization("members:read", organizationId)
      yield* within(organizationId, applicationId)
      yield* policy.coversProject(applicationId)
      return yield* shown(organizationId, applicationId)
    })

    /** Gives a member another role in the organization. */
    const put = Effect.fnUntraced(
      function* (organizationId: OrganizationId, membershipId: MembershipId, roleId: RoleId) {
        yield* policy.organization("members:write", organizationId)
        const membership = yield* memberOf(organizationId, membershipId)
        const role = yield* roleOf(organizationId, roleId)
        const former = yield* held(membership, null)
        const isOwn = yield* delegation.isCaller(membership)
        if (former !== undefined && !isOwn) yield* delegation.mayTakeRole(former, null)
        if (role.builtin !== "Owner") yield* demandAnotherOwner(membership)
        const [record] = yield* view.grants(organizationId, [yield* give(membership, role, null)])
        return yield* Effect.orDie(Effect.fromNullable(record))
      },
      (effect) => transaction.run(effect)
    )

    /** Gives a member a role in one project instead of the one in the organization. */
    const putInProject = Effect.fnUntraced(
      function* (organizationId: OrganizationId, applicationId: ApplicationId, id: MembershipId, roleId: RoleId) {
        yield* policy.organization("members:write", organizationId)
        yield* within(organizationId, applicationId)
        const membership = yield* memberOf(organizationId, id)
        const role = yield* roleOf(organizationId, roleId)
        const former = (yield* held(membership, applicationId)) ?? (yield* held(membership, null))
        if (former !== undefined) yield* delegation.mayTakeRole(former, applicationId)
        const [record] = yield* view.grants(organizationId, [yield* give(membership, role, applicationId)])
        return yield* Effect.orDie(Effect.fromNullable(record))
      },
      (effect) => transaction.run(effect)
    )

    /** Takes the project's role away. The caller must be able to give what the member then holds there. */
    const removeInProject = Effect.fnUntraced(
      function* (organizationId: OrganizationId, applicationId: ApplicationId, id: MembershipId) {
        yield* policy.organization("members:write", organizationId)
        yield* within(organizationId, applicationId)
        const membership = yield* memberOf(organizationId, id)
        const former = yield* held(membership, applicationId)
        if (former === undefined) {
          const message = `Member ${id} has no role of their own in application ${applicationId}`
          return yield* Effect.fail(new GrantNotFound({ message }))
        }
        yield* delegation.mayTakeRole(former, applicationId)
        const back = yield* held(membership, null)
        if (back !== undefined) yield* delegation.mayGiveRole(back, applicationId)
        yield* roles.removeGrant(id, applicationId)
      },
      (effect) => transaction.run(effect)
    )

    return {
      memberOf,
      personOf,
      roleOf,
      demandAnotherOwner,
      list,
      listInProject,
      put,
      putInProject,
      removeInProject
    } as const
  })
}) {}
