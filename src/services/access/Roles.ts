import { DateTime, Effect, Option } from "effect"
import {
  RoleBuiltin,
  RoleChanged,
  RoleInUse,
  RoleLimitReached,
  RoleNameTaken,
  RoleNotFound
} from "../../../schema/access/AccessErrors.ts"
import type { ReplaceRole, RoleDefinition, RoleRecord } from "../../../schema/access/Roles.ts"
import { permissionsOf } from "../../domain/access/Access.ts"
import { statusOfInvitation } from "../../domain/access/Organization.ts"
import type { Grant, Role } from "../../domain/access/Role.ts"
import { groupBy } from "../../domain/analytics/filter/Grouping.ts"
import type { OrganizationId, RoleId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { demandUnchanged, updateAfter } from "../BasedOn.ts"
import { Delegation } from "./Delegation.ts"
import { Policy } from "./Policy.ts"

const record = ({ builtin, ...role }: Role, grants: ReadonlyArray<Grant>): RoleRecord => ({
  ...role,
  type: builtin === null ? "custom" : "builtin",
  permissions: permissionsOf({ builtin, ...role }),
  memberCount: new Set(grants.filter(({ roleId }) => roleId === role.id).map(({ membershipId }) => membershipId)).size
})

const recordsOf = (roles: ReadonlyArray<Role>, grants: ReadonlyArray<Grant>): ReadonlyArray<RoleRecord> => {
  const byRole = groupBy(grants, ({ roleId }) => roleId)
  return roles.map((role) => record(role, byRole.get(role.id) ?? []))
}

const nameTaken = (name: string) =>
  Effect.fail(new RoleNameTaken({ message: `This organization already has a role called ${name}` }))

/** Whoever asks what a person may do reads all of them. */
export const mostRoles = 500

const full = Effect.fail(
  new RoleLimitReached({ message: `An organization has at most ${mostRoles} roles: delete one first` })
)

/** Roles of an organization: the built-in ones and its own. */
export class Roles extends Effect.Service<Roles>()("services/access/Roles", {
  effect: Effect.gen(function* () {
    const roles = yield* RoleRepo
    const organizations = yield* OrganizationRepo
    const transaction = yield* Transaction
    const policy = yield* Policy
    const delegation = yield* Delegation

    const find = Effect.fnUntraced(function* (organizationId: OrganizationId, id: RoleId) {
      const message = `Role ${id} does not exist in organization ${organizationId}`
      return yield* Effect.mapError(yield* roles.find(organizationId, id), () => new RoleNotFound({ message }))
    })

    const demandCustom = ({ builtin, name }: Role) =>
      builtin === null
        ? Effect.void
        : Effect.fail(new RoleBuiltin({ message: `${name} is a built-in role: it can be neither changed nor deleted` }))

    /** Refuses a name that differs from that of one of these by case alone, because people would confuse them. */
    const demandName = (others: ReadonlyArray<Role>, name: string) =>
      others.some((role) => role.name.toLowerCase() === name.toLowerCase()) ? nameTaken(name) : Effect.void

    const list = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      yield* policy.organization("roles:read", organizationId)
      const grants = yield* roles.grants(organizationId)
      return recordsOf(yield* roles.list(organizationId), grants)
    })

    const get = Effect.fnUntraced(function* (organizationId: OrganizationId, id: RoleId) {
      yield* policy.organization("roles:read", organizationId)
      return record(yield* find(organizationId, id), yield* roles.grants(organizationId))
    })

    const create = Effect.fnUntraced(
      function* (organizationId: OrganizationId, { name, description = null, permissions }: RoleDefinition) {
        yield* policy.organization("roles:write", organizationId)
        yield* delegation.mayGrant(permissions, organizationId, null)
        const present = yield* roles.list(organizationId)
        if (present.length >= mostRoles) return yield* full
        yield* demandName(present, name)
        const now = yield* DateTime.now
        const role = { organizationId, builtin: null, name, description, permissions: [...new Set(permissions)] }
        const inserted = yield* roles.insert({ ...role, createdAt: now, updatedAt: now })
        return Option.isSome(inserted) ? record(inserted.value, []) : yield* nameTaken(name)
      },
      (effect) => transaction.run(effect)
    )

    /** What the role allows before and after may exceed the caller; what it gains or loses may not. */
    const update = Effect.fnUntraced(
      function* (organizationId: OrganizationId, id: RoleId, definition: ReplaceRole) {
        yield* policy.organization("roles:write", organizationId)
        const role = yield* find(organizationId, id)
        const { name, description = null } = definition
        const permissions = [...new Set(definition.permissions)]
        const present = permissionsOf(role)
        const added = permissions.filter((permission) => !present.includes(permission))
        const lost = present.filter((permission) => !permissions.includes(permission))
        yield* delegation.mayGrant([...added, ...lost], organizationId, null)
        yield* demandCustom(role)
        yield* demandUnchanged("role", role, definition.basedOn, (message) => new RoleChanged({ message }))
        const others = (yield* roles.list(organizationId)).filter((other) => other.id !== id)
        yield* demandName(others, name)
        const updatedAt = updateAfter(role, yield* DateTime.now)
        const updated = yield* roles.update({ ...role, name, description, permissions, updatedAt })
        if (Option.isNone(updated)) return yield* nameTaken(name)
        return record(updated.value, yield* roles.grants(organizationId))
      },
      (effect) => transaction.run(effect)
    )

    /**
     * Refuses to delete a role that somebody holds or is invited to, and one that allows more than the caller may do. Expired invitations to it are
     * deleted with it.
     */
    const remove = Effect.fnUntraced(
      function* (organizationId: OrganizationId, id: RoleId) {
        yield* policy.organization("roles:write", organizationId)
        const role = yield* find(organizationId, id)
        yield* demandCustom(role)
        yield* delegation.mayTakeRole(role, null)
        const now = yield* DateTime.now
        const invitations = (yield* organizations.invitations(organizationId)).filter(({ roleId }) => roleId === id)
        const isPending = invitations.some((invitation) => statusOfInvitation(invitation, now) === "pending")
        if (isPending || (yield* roles.grants(organizationId)).some(({ roleId }) => roleId === id)) {
          const message = `Somebody holds ${role.name} or is invited to it: give them another role first`
          return yield* Effect.fail(new RoleInUse({ message }))
        }
        yield* Effect.forEach(invitations, (invitation) => organizations.removeInvitation(invitation.id))
        yield* roles.remove(id)
      },
      (effect) => transaction.run(effect)
    )

    return { list, get, create, update, remove } as const
  })
}) {}
