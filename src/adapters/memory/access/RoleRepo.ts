import { Effect, Layer, Option } from "effect"
import type { Role } from "../../../domain/access/Role.ts"
import { GrantId, RoleId } from "../../../domain/Ids.ts"
import { RoleRepo } from "../../../ports/access/RoleRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const RoleRepoMemory = Layer.effect(
  RoleRepo,
  Effect.map(MemoryDb, ({ access, roles, grants, invitations }) => {
    const isTaken = (role: Omit<Role, "id">, except?: RoleId) =>
      roles.rows.some(
        (each) => each.id !== except && each.organizationId === role.organizationId && each.name === role.name
      )
    return RoleRepo.of({
      insert: (role) =>
        access(() =>
          isTaken(role) ? Option.none() : Option.some(roles.insert({ ...role, id: RoleId.make(roles.nextId()) }))
        ),
      update: (role) =>
        access(() =>
          isTaken(role, role.id) ? Option.none() : Option.some(roles.replace(({ id }) => id === role.id, role))
        ),
      remove: (id) =>
        Effect.flatten(
          access(() => {
            if (grants.rows.some(({ roleId }) => roleId === id)) return Effect.dieMessage(`Role ${id} is in use`)
            roles.remove((role) => role.id === id)
            invitations.remove(({ roleId }) => roleId === id)
            return Effect.void
          })
        ),
      find: (organizationId, id) =>
        access(() =>
          Option.fromNullable(roles.rows.find((role) => role.id === id && role.organizationId === organizationId))
        ),
      list: (organizationId) => access(() => roles.rows.filter((role) => role.organizationId === organizationId)),
      putGrant: (grant) =>
        access(() => {
          const isSame = (each: typeof grant) =>
            each.membershipId === grant.membershipId && each.applicationId === grant.applicationId
          const previous = grants.rows.find(isSame)
          const next = { ...grant, id: previous?.id ?? GrantId.make(grants.nextId()) }
          return previous === undefined ? grants.insert(next) : grants.replace(isSame, next)
        }),
      removeGrant: (membershipId, applicationId) =>
        access(() =>
          grants.remove((each) => each.membershipId === membershipId && each.applicationId === applicationId)
        ),
      grantsOf: (membershipId) => access(() => grants.rows.filter((each) => each.membershipId === membershipId)),
      grants: (organizationId) => access(() => grants.rows.filter((each) => each.organizationId === organizationId))
    })
  })
)
