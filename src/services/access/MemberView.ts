import type { DateTime } from "effect"
import { Effect } from "effect"
import type { Invitation, Membership } from "../../domain/access/Organization.ts"
import { statusOfInvitation } from "../../domain/access/Organization.ts"
import type { Grant } from "../../domain/access/Role.ts"
import type { OrganizationId, RoleId, UserId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"

/** Members, their grants and invitations as the contract shows them. Asks for no permission: its callers do. */
export class MemberView extends Effect.Service<MemberView>()("services/access/MemberView", {
  effect: Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    const users = yield* UserRepo
    const organizations = yield* OrganizationRepo
    const roles = yield* RoleRepo

    const person = Effect.fnUntraced(function* (id: UserId) {
      const { email, name } = yield* Effect.flatMap(users.find(id), Effect.orDie)
      return { id, email, name, picture: `${publicUrl}/users/${id}/picture` }
    })

    /** Names of roles and people, each looked up once. */
    const directory = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      const names = new Map((yield* roles.list(organizationId)).map(({ id, name }) => [id, { id, name }]))
      const roleOf = (id: RoleId | undefined) => Effect.orDie(Effect.fromNullable(id && names.get(id)))
      return { roleOf, personOf: yield* Effect.cachedFunction(person) }
    })

    const members = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      memberships: ReadonlyArray<Membership>
    ) {
      const { roleOf, personOf } = yield* directory(organizationId)
      const grants = (yield* roles.grants(organizationId)).filter(({ applicationId }) => applicationId === null)
      const roleIds = new Map(grants.map(({ membershipId, roleId }) => [membershipId, roleId]))
      return yield* Effect.forEach(memberships, ({ id, userId, createdAt }) =>
        Effect.map(Effect.all([personOf(userId), roleOf(roleIds.get(id))]), ([user, role]) => ({
          membershipId: id,
          organizationId,
          user,
          role,
          createdAt
        }))
      )
    })

    const grants = Effect.fnUntraced(function* (organizationId: OrganizationId, given: ReadonlyArray<Grant>) {
      const { roleOf, personOf } = yield* directory(organizationId)
      const all = yield* organizations.members(organizationId)
      const userIds = new Map(all.map(({ id, userId }) => [id, userId]))
      const memberOf = (id: Membership["id"]) =>
        Effect.flatMap(Effect.orDie(Effect.fromNullable(userIds.get(id))), personOf)
      return yield* Effect.forEach(given, ({ membershipId, roleId, createdBy, ...grant }) =>
        Effect.gen(function* () {
          const giver = createdBy === null ? null : yield* personOf(createdBy)
          return {
            ...grant,
            principal: { type: "member" as const, membershipId, user: yield* memberOf(membershipId) },
            role: yield* roleOf(roleId),
            createdBy: giver === null ? null : { id: giver.id, email: giver.email }
          }
        })
      )
    })

    const invitations = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      sent: ReadonlyArray<Invitation>,
      now: DateTime.Utc
    ) {
      const { roleOf, personOf } = yield* directory(organizationId)
      return yield* Effect.forEach(sent, (invitation) =>
        Effect.gen(function* () {
          const { tokenHash: _, roleId, invitedBy, ...shown } = invitation
          return {
            ...shown,
            role: yield* roleOf(roleId),
            status: statusOfInvitation(invitation, now),
            invitedBy: invitedBy === null ? null : yield* personOf(invitedBy)
          }
        })
      )
    })

    return { members, grants, invitations } as const
  })
}) {}
