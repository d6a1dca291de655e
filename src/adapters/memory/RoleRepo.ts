import { Effect, Layer, Option } from "effect"
import type { Role } from "../../domain/access/Role.ts"
import { GrantId, RoleId } from "../../domain/Ids.ts"
import { RoleRepo } from "../../ports/RoleRepo.ts"
import { MemoryDb } from "./MemoryDb.ts"

export const RoleRepoMemory = Layer.effect(
  RoleRepo,
  Effect.map(MemoryDb, ({ roles, grants }) => {
    const isTaken = (role: Omit<Role, "id">, except?: RoleId) =>
      roles.rows.some(
        (each) => each.id !== except && each.organizationId === role.organizationId && each.name === role.name
      )
    return RoleRepo.of({
      insert: (role) =>
        Effect.sync(() =>
          isTaken(role) ? Option.none() : Option.some(roles.insert({ ...role, id: RoleId.make(roles.nextId()) }))
        ),
      update: (role) =>
        Effect.sync(() =>
          isTaken(role, role.id) ? Option.none() : Option.some(roles.replace(({ id }) => id === role.id, role))
        ),
      remove: (id) => Effect.sync(() => roles.remove((role) => role.id === id)),
      find: (organizationId, id) =>
        Effect.sync(() =>
          Option.fromNullable(roles.rows.find((role) => role.id === id && role.organizationId === organizationId))
        ),
      list: (organizationId) => Effect.sync(() => roles.rows.filter((role) => role.organizationId === organizationId)),
      putGrant: (grant) =>
        Effect.sync(() => {
          const isSame = (each: typeof grant) =>
            each.membershipId === grant.membershipId && each.applicationId === grant.applicationId
          const previous = grants.rows.find(isSame)
          const next = { ...grant, id: previous?.id ?? GrantId.make(grants.nextId()) }
          return previous === undefined ? grants.insert(next) : grants.replace(isSame, next)
        }),
      removeGrant: (membershipId, applicationId) =>
        Effect.sync(() =>
          grants.remove((each) => each.membershipId === membershipId && each.applicationId === applicationId)
        ),
      grantsOf: (membershipId) => Effect.sync(() => grants.rows.filter((each) => each.membershipId === membershipId)),
      grants: (organizationId) =>
        Effect.sync(() => grants.rows.filter((each) => each.organizationId === organizationId))
    })
  })
)
