import { Effect, Option } from "effect"
import { builtinRoles } from "../../src/domain/access/Role.ts"
import { RoleId } from "../../src/domain/Ids.ts"
import { RoleRepo } from "../../src/ports/RoleRepo.ts"
import { contract } from "../support/MetadataStores.ts"
import {
  addApplication,
  addMember,
  addOrganization,
  addRole,
  addUser,
  at,
  dies,
  newGrant,
  newRole,
  same,
  userId
} from "../support/Rows.ts"

contract("RoleRepo: roles", (holds) => {
  holds("keeps every field, and the permissions in their order", () =>
    Effect.gen(function* () {
      const roles = yield* RoleRepo
      const { id } = yield* addOrganization("first")
      const fields = {
        organizationId: id,
        builtin: "Owner" as const,
        name: "Owner",
        description: "Tout 🎮",
        permissions: [...builtinRoles.Owner.permissions].reverse(),
        createdAt: at(1),
        updatedAt: at(2)
      }
      const builtin = Option.getOrThrow(yield* roles.insert(fields))
      const custom = yield* addRole(id, "Artist")
      same(builtin, { id: builtin.id, ...fields })
      same(yield* roles.list(id), [builtin, custom])
    })
  )

  holds("are found in their own organization alone", () =>
    Effect.gen(function* () {
      const roles = yield* RoleRepo
      const first = yield* addOrganization("first")
      const second = yield* addOrganization("second")
      const role = yield* addRole(first.id, "role")
      same(yield* roles.find(first.id, role.id), Option.some(role))
      same(yield* roles.find(second.id, role.id), Option.none())
      same(yield* roles.find(first.id, RoleId.make(99)), Option.none())
      same(yield* roles.list(second.id), [])
    })
  )

  holds("have each name once per organization; a refusal changes nothing", () =>
    Effect.gen(function* () {
      const roles = yield* RoleRepo
      const { id } = yield* addOrganization("first")
      const other = yield* addOrganization("second")
      const first = yield* addRole(id, "first")
      const second = yield* addRole(id, "second")
      same(yield* roles.insert({ ...newRole(id, "first"), description: "again" }), Option.none())
      same(yield* roles.update({ ...second, name: "first", description: "again" }), Option.none())
      same(yield* roles.list(id), [first, second])
      yield* addRole(other.id, "first")
    })
  )

  holds("are updated one by one, keeping their name or taking a free one; an update of none is a defect", () =>
    Effect.gen(function* () {
      const roles = yield* RoleRepo
      const { id } = yield* addOrganization("first")
      const first = yield* addRole(id, "first")
      const second = yield* addRole(id, "second")
      const described = { ...first, description: "new", permissions: ["audit:read" as const], updatedAt: at(9) }
      same(yield* roles.update(described), Option.some(described))
      const renamed = { ...described, name: "third", description: null }
      same(yield* roles.update(renamed), Option.some(renamed))
      same(yield* roles.list(id), [renamed, second])
      yield* dies(roles.update({ ...renamed, id: RoleId.make(99), name: "fourth" }))
    })
  )

  holds("are removed one by one, freeing the name; a role that is granted stays", () =>
    Effect.gen(function* () {
      const roles = yield* RoleRepo
      yield* addUser(1)
      const { id } = yield* addOrganization("first")
      const held = yield* addRole(id, "held")
      const free = yield* addRole(id, "free")
      const member = yield* addMember(id, userId(1))
      const grant = yield* roles.putGrant(newGrant(id, member.id, held.id))
      yield* roles.remove(free.id)
      yield* roles.remove(free.id)
      yield* dies(roles.remove(held.id))
      same(yield* roles.list(id), [held])
      same(yield* roles.grants(id), [grant])
      yield* addRole(id, "free")
    })
  )
})

const granting = Effect.gen(function* () {
  const person = yield* addUser(1)
  yield* addUser(2)
  const { id } = yield* addOrganization("first")
  const game = yield* addApplication(id, "game", person.id)
  return {
    id,
    game,
    member: yield* addMember(id, person.id),
    other: yield* addMember(id, userId(2)),
    first: yield* addRole(id, "first"),
    second: yield* addRole(id, "second")
  }
})

contract("RoleRepo: grants", (holds) => {
  holds("are one per member and project, and one per member in the organization", () =>
    Effect.gen(function* () {
      const roles = yield* RoleRepo
      const { id, game, member, other, first, second } = yield* granting
      const wide = yield* roles.putGrant(newGrant(id, member.id, first.id))
      const narrow = yield* roles.putGrant({ ...newGrant(id, member.id, first.id, game.id), createdBy: userId(2) })
      const foreign = yield* roles.putGrant(newGrant(id, other.id, first.id, game.id))
      same(narrow, { ...newGrant(id, member.id, first.id, game.id), id: narrow.id, createdBy: userId(2) })
      const replacement = { ...newGrant(id, member.id, second.id), createdAt: at(5), createdBy: userId(1) }
      const replaced = yield* roles.putGrant(replacement)
      same(replaced, { ...replacement, id: wide.id })
      same(yield* roles.grantsOf(member.id), [replaced, narrow])
      same(yield* roles.grants(id), [replaced, narrow, foreign])
    })
  )

  holds("are taken away one by one", () =>
    Effect.gen(function* () {
      const roles = yield* RoleRepo
      const { id, game, member, other, first } = yield* granting
      const wide = yield* roles.putGrant(newGrant(id, member.id, first.id))
      const narrow = yield* roles.putGrant(newGrant(id, member.id, first.id, game.id))
      const foreign = yield* roles.putGrant(newGrant(id, other.id, first.id))
      yield* roles.removeGrant(other.id, game.id)
      same(yield* roles.grants(id), [wide, narrow, foreign])
      yield* roles.removeGrant(member.id, null)
      same(yield* roles.grants(id), [narrow, foreign])
      yield* roles.removeGrant(member.id, game.id)
      same(yield* roles.grantsOf(member.id), [])
      same(yield* roles.grants(id), [foreign])
    })
  )

  holds("are listed in their own organization alone", () =>
    Effect.gen(function* () {
      const roles = yield* RoleRepo
      const { id, member, first } = yield* granting
      const elsewhere = yield* addOrganization("second")
      const there = yield* addMember(elsewhere.id, userId(1))
      const role = yield* addRole(elsewhere.id, "first")
      const here = yield* roles.putGrant(newGrant(id, member.id, first.id))
      const foreign = yield* roles.putGrant(newGrant(elsewhere.id, there.id, role.id))
      same(yield* roles.grants(id), [here])
      same(yield* roles.grants(elsewhere.id), [foreign])
      same(yield* roles.grantsOf(there.id), [foreign])
    })
  )
})
