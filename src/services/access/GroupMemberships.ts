import { DateTime, Effect, Option } from "effect"
import { rolesOfGroups } from "../../domain/access/OpenId.ts"
import type { Membership } from "../../domain/access/Organization.ts"
import type { Role } from "../../domain/access/Role.ts"
import type { User } from "../../domain/access/User.ts"
import { OrganizationId } from "../../domain/Ids.ts"
import { IdentityRepo } from "../../ports/access/IdentityRepo.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { AuditTrail } from "../operations/AuditTrail.ts"
import { Grants } from "./Grants.ts"

/** Memberships that follow the groups of people at the provider. Those that people gave are left alone. */
export class GroupMemberships extends Effect.Service<GroupMemberships>()("services/access/GroupMemberships", {
  effect: Effect.gen(function* () {
    const { memberSlots, oidc } = yield* Settings
    const identities = yield* IdentityRepo
    const organizations = yield* OrganizationRepo
    const roles = yield* RoleRepo
    const grants = yield* Grants
    const trail = yield* AuditTrail
    const list = oidc?.roles ?? []

    const roleOf = Effect.fnUntraced(function* (id: OrganizationId, name: string) {
      const all = yield* roles.list(id)
      return Option.fromNullable(all.find((role) => role.name.toLowerCase() === name.toLowerCase()))
    })

    const held = Effect.fnUntraced(function* ({ id, organizationId }: Membership) {
      const grant = (yield* roles.grantsOf(id)).find(({ applicationId }) => applicationId === null)
      return grant === undefined ? Option.none<Role>() : yield* roles.find(organizationId, grant.roleId)
    })

    const note = ({ email }: User, { id, organizationId }: Membership, before: string | null, after: string | null) =>
      trail.byServer(organizationId, {
        operation: after === null ? "organizations.removeMember" : "organizations.setMemberRole",
        object: { kind: "organizations", id: String(id), name: email },
        reason: "Groups at the provider of single sign-on",
        before: before === null ? null : { role: before },
        after: after === null ? null : { role: after }
      })

    /** Does it unless the organization would be left without an owner. */
    const unlessLastOwner = <A, E, R>(membership: Membership, change: Effect.Effect<A, E, R>) =>
      grants.demandAnotherOwner(membership).pipe(
        Effect.zipRight(change),
        Effect.catchTag("LastOwner", () =>
          Effect.logWarning(
            `Groups take the last owner of organization ${membership.organizationId} away: membership ${membership.id} stays`
          )
        )
      )

    const give = Effect.fnUntraced(function* (user: User, membership: Membership, role: Role) {
      const former = yield* held(membership)
      if (Option.exists(former, ({ id }) => id === role.id)) return
      const { id: membershipId, organizationId } = membership
      const createdAt = yield* DateTime.now
      yield* roles.putGrant({
        organizationId,
        applicationId: null,
        membershipId,
        roleId: role.id,
        createdAt,
        createdBy: null
      })
      yield* note(user, membership, Option.getOrNull(Option.map(former, ({ name }) => name)), role.name)
    })

    const join = Effect.fnUntraced(function* (user: User, organizationId: OrganizationId, role: Role) {
      const taken = (yield* organizations.members(organizationId)).length
      if (taken >= memberSlots) {
        return yield* Effect.logWarning(
          `Groups would make user ${user.id} a member of organization ${organizationId}, which has no slot left`
        )
      }
      const createdAt = yield* DateTime.now
      const added = yield* organizations.addMember({ organizationId, userId: user.id, createdAt })
      const membership = yield* Effect.orDie(added)
      yield* identities.markGiven(membership.id)
      yield* give(user, membership, role)
    })

    const leave = (user: User, membership: Membership) =>
      unlessLastOwner(
        membership,
        Effect.gen(function* () {
          const former = yield* held(membership)
          yield* organizations.removeMember(membership.id)
          yield* note(user, membership, Option.match(former, { onNone: () => "", onSome: ({ name }) => name }), null)
        })
      )

    const enter = Effect.fnUntraced(function* (
      user: User,
      given: ReadonlyArray<Membership>,
      organizationId: OrganizationId,
      roleName: string
    ) {
      const role = yield* roleOf(organizationId, roleName)
      if (Option.isNone(role)) {
        return yield* Effect.logWarning(
          `--oidc-roles names role ${roleName} of organization ${organizationId}: there is no such role or organization`
        )
      }
      const own = given.find((each) => each.organizationId === organizationId)
      if (own !== undefined) {
        const change = give(user, own, role.value)
        return yield* role.value.builtin === "Owner" ? change : unlessLastOwner(own, change)
      }
      const byHand = yield* organizations.findMemberByUser(organizationId, user.id)
      if (Option.isNone(byHand)) yield* join(user, organizationId, role.value)
    })

    /** Whether the groups give any role. */
    const giveAny = (groups: ReadonlyArray<string>): boolean => rolesOfGroups(list, groups).size > 0

    /** Makes the user's memberships what their groups say now. Run it in a transaction. */
    const follow = Effect.fnUntraced(function* (user: User, groups: ReadonlyArray<string>) {
      const wanted = rolesOfGroups(list, groups)
      const given = yield* identities.givenTo(user.id)
      const over = given.filter(({ organizationId }) => !wanted.has(organizationId))
      yield* Effect.forEach(over, (membership) => leave(user, membership))
      yield* Effect.forEach(wanted, ([id, role]) => enter(user, given, OrganizationId.make(id), role))
    })

    return { giveAny, follow } as const
  })
}) {}
