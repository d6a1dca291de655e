import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { allPermissions } from "../../../src/domain/access/Permission.ts"
import { RoleId } from "../../../src/domain/Ids.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import { everyStore } from "../../support/Stores.ts"
import {
  addApplication,
  addMember,
  addOrganization,
  addRole,
  anyText,
  instant,
  newInvitation,
  newRole,
  newUserId
} from "../../support/access/Tenants.ts"

const nowhere = 9_007_199_254_740_991

for (const [label, store] of everyStore) {
  layer(store)(`roles in ${label}`, (it) => {
    it.effect("gives back what was put in and finds it in its own organization only", () =>
      Effect.gen(function* () {
        const roles = yield* RoleRepo
        const [one, other] = [yield* addOrganization, yield* addOrganization]
        const builtin = yield* addRole(one.id, { builtin: "Owner", name: anyText, permissions: allPermissions })
        const custom = yield* addRole(one.id, { description: anyText, permissions: [] })
        assert.deepStrictEqual(yield* roles.find(one.id, builtin.id), Option.some(builtin))
        assert.deepStrictEqual(yield* roles.find(other.id, builtin.id), Option.none())
        assert.deepStrictEqual(yield* roles.find(one.id, RoleId.make(nowhere)), Option.none())
        assert.deepStrictEqual(yield* roles.list(one.id), [builtin, custom])
        assert.deepStrictEqual(yield* roles.list(other.id), [])
      })
    )

    it.effect("refuses a name twice in an organization, not in two", () =>
      Effect.gen(function* () {
        const roles = yield* RoleRepo
        const [one, other] = [yield* addOrganization, yield* addOrganization]
        const first = yield* addRole(one.id)
        const { name } = first
        assert.deepStrictEqual(yield* roles.insert(newRole(one.id, { name, permissions: [] })), Option.none())
        const elsewhere = yield* addRole(other.id, { name })
        assert.deepStrictEqual(yield* roles.list(one.id), [first])
        assert.deepStrictEqual(yield* roles.list(other.id), [elsewhere])
      })
    )

    it.effect("changes a role, but not to the name of another", () =>
      Effect.gen(function* () {
        const roles = yield* RoleRepo
        const { id: organizationId } = yield* addOrganization
        const [one, other] = [yield* addRole(organizationId), yield* addRole(organizationId)]
        const changed = { ...one, permissions: allPermissions, description: "Everything", updatedAt: instant(50) }
        assert.deepStrictEqual(yield* roles.update(changed), Option.some(changed))
        const renamed = { ...changed, name: anyText }
        assert.deepStrictEqual(yield* roles.update(renamed), Option.some(renamed))
        assert.deepStrictEqual(yield* roles.update({ ...renamed, name: other.name, permissions: [] }), Option.none())
        assert.deepStrictEqual(yield* roles.list(organizationId), [renamed, other])
      })
    )

    it.effect("removes a role that nobody holds, with the invitations to it", () =>
      Effect.gen(function* () {
        const roles = yield* RoleRepo
        const organizations = yield* OrganizationRepo
        const { id: organizationId } = yield* addOrganization
        const [gone, kept] = [yield* addRole(organizationId), yield* addRole(organizationId)]
        yield* organizations.insertInvitation(newInvitation(organizationId, gone.id))
        const invitation = yield* organizations.insertInvitation(newInvitation(organizationId, kept.id))
        yield* roles.remove(gone.id)
        yield* roles.remove(gone.id)
        assert.deepStrictEqual(yield* roles.list(organizationId), [kept])
        assert.deepStrictEqual(yield* organizations.invitations(organizationId), [invitation])
        yield* addRole(organizationId, { name: gone.name })
      })
    )

    it.effect("removes no role that somebody holds", () =>
      Effect.gen(function* () {
        const roles = yield* RoleRepo
        const organizations = yield* OrganizationRepo
        const { id: organizationId } = yield* addOrganization
        const role = yield* addRole(organizationId)
        const { id: membershipId } = yield* addMember(organizationId)
        const invitation = yield* organizations.insertInvitation(newInvitation(organizationId, role.id))
        const grant = yield* roles.putGrant({
          organizationId,
          membershipId,
          applicationId: null,
          roleId: role.id,
          createdAt: instant(0),
          createdBy: null
        })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(roles.remove(role.id))))
        assert.deepStrictEqual(yield* roles.list(organizationId), [role])
        assert.deepStrictEqual(yield* roles.grants(organizationId), [grant])
        assert.deepStrictEqual(yield* organizations.invitations(organizationId), [invitation])
      })
    )
  })

  layer(store)(`grants in ${label}`, (it) => {
    const studio = Effect.gen(function* () {
      const { id: organizationId } = yield* addOrganization
      const [one, other] = [yield* addRole(organizationId), yield* addRole(organizationId)]
      const { id: membershipId } = yield* addMember(organizationId)
      const { id: applicationId } = yield* addApplication(organizationId)
      const grant = { organizationId, membershipId, roleId: one.id, createdAt: instant(0), createdBy: newUserId() }
      return { organizationId, membershipId, applicationId, one, other, grant }
    })

    it.effect("replaces the grant in the same place and keeps its id", () =>
      Effect.gen(function* () {
        const roles = yield* RoleRepo
        const { organizationId, membershipId, applicationId, other, grant } = yield* studio
        const everywhere = yield* roles.putGrant({ ...grant, applicationId: null })
        const there = yield* roles.putGrant({ ...grant, applicationId })
        assert.deepStrictEqual(everywhere, { ...grant, applicationId: null, id: everywhere.id })
        const changed = { ...everywhere, roleId: other.id, createdAt: instant(9), createdBy: null }
        assert.deepStrictEqual(yield* roles.putGrant(changed), changed)
        assert.deepStrictEqual(yield* roles.grantsOf(membershipId), [changed, there])
        const moved = { ...there, roleId: other.id }
        assert.deepStrictEqual(yield* roles.putGrant(moved), moved)
        assert.deepStrictEqual(yield* roles.grants(organizationId), [changed, moved])
      })
    )

    it.effect("removes the grant of that place and no other", () =>
      Effect.gen(function* () {
        const roles = yield* RoleRepo
        const { organizationId, membershipId, applicationId, grant } = yield* studio
        const second = yield* addApplication(organizationId)
        const everywhere = yield* roles.putGrant({ ...grant, applicationId: null })
        yield* roles.putGrant({ ...grant, applicationId })
        const there = yield* roles.putGrant({ ...grant, applicationId: second.id })
        yield* roles.removeGrant(membershipId, applicationId)
        assert.deepStrictEqual(yield* roles.grantsOf(membershipId), [everywhere, there])
        yield* roles.removeGrant(membershipId, null)
        yield* roles.removeGrant(membershipId, null)
        assert.deepStrictEqual(yield* roles.grants(organizationId), [there])
      })
    )

    it.effect("keeps organizations and members apart", () =>
      Effect.gen(function* () {
        const roles = yield* RoleRepo
        const [one, other] = [yield* studio, yield* studio]
        const first = yield* roles.putGrant({ ...one.grant, applicationId: null })
        const second = yield* roles.putGrant({ ...other.grant, applicationId: null })
        assert.deepStrictEqual(yield* roles.grants(one.organizationId), [first])
        assert.deepStrictEqual(yield* roles.grantsOf(other.membershipId), [second])
      })
    )
  })
}
