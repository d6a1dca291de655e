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

/**
 * Members, their grants and invitations as the contract shows them. Leaves out who was removed since the list was read, whose role is not
 * there any more. Asks for no permission: its callers do.
 */
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

    /** Names of roles and people, each looked up once. To be read after what names a role, so that it has roles which are new. */
    const directory = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      const names = new Map((yield* roles.list(organizationId)).map(({ id, name }) => [id, { id, name }]))
      const roleOf = (id: RoleId | undefined) => (id === undefined ? undefined : names.get(id))
      return { roleOf, personOf: yield* Effect.cachedFunction(person) }
    })

    const members = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      memberships: ReadonlyArray<Membership>
    ) {
      const grants = (yield* roles.grants(organizationId)).filter(({ applicationId }) => applicationId === null)
      const roleIds = new Map(grants.map(({ membershipId, roleId }) => [membershipId, roleId]))
      const { roleOf, personOf } = yield* directory(organizationId)
      const present = memberships.flatMap(({ id, userId, createdAt }) => {
        const role = roleOf(roleIds.get(id))
        return role === undefined ? [] : [{ id, userId, createdAt, role }]
      })
      return yield* Effect.forEach(present, ({ id, userId, createdAt, role }) =>
        Effect.map(personOf(userId), (user) => ({ membershipId: id, organizationId, user, role, createdAt }))
      )
    })

    const grants = Effect.fnUntraced(function* (organizationId: OrganizationId, given: ReadonlyArray<Grant>) {
      const { roleOf, personOf } = yield* directory(organizationId)
      const all = yield* organizations.members(organizationId)
      const userIds = new Map(all.map(({ id, userId }) => [id, userId]))
      const present = given.flatMap(({ roleId, ...grant }) => {
        const [userId, role] = [userIds.get(grant.membershipId), roleOf(roleId)]
        return userId === undefined || role === undefined ? [] : [{ ...grant, userId, role }]
      })
      return yield* Effect.forEach(present, ({ membershipId, userId, createdBy, ...grant }) =>
        Effect.gen(function* () {
          const giver = createdBy === null ? null : yield* personOf(createdBy)
          return {
            ...grant,
            principal: { type: "member" as const, membershipId, user: yield* personOf(userId) },
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
      const present = sent.flatMap((invitation) => {
        const { tokenHash: _, roleId, ...shown } = invitation
        const role = roleOf(roleId)
        return role === undefined ? [] : [{ ...shown, role, status: statusOfInvitation(invitation, now) }]
      })
      return yield* Effect.forEach(present, ({ invitedBy, ...shown }) =>
        Effect.map(invitedBy === null ? Effect.succeed(null) : personOf(invitedBy), (by) => ({
          ...shown,
          invitedBy: by
        }))
      )
    })

    return { members, grants, invitations } as const
  })
}) {}
