import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { OrganizationId } from "../../../src/domain/Ids.ts"
import { InvitationId, MembershipId, OrganizationId as OrganizationIds } from "../../../src/domain/Ids.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import { everyStore } from "../../support/Stores.ts"
import {
  addApplication,
  addMember,
  addOrganization,
  addRole,
  addUser,
  anyText,
  instant,
  newInvitation,
  newUserId
} from "../../support/access/Tenants.ts"

const nowhere = 9_007_199_254_740_991

const iconOf = (id: OrganizationId) =>
  Effect.map(
    Effect.flatMap(OrganizationRepo, (organizations) => organizations.icon(id)),
    Option.map(({ contentType, bytes }) => [contentType, ...bytes])
  )

for (const [label, store] of everyStore) {
  layer(store)(`organizations in ${label}`, (it) => {
    it.effect("gives back what was put in, with and without what may be null", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const bare = yield* organizations.insert({ name: anyText, color: null, iconTag: null, createdAt: instant(7) })
        const full = yield* organizations.insert({ name: "", color: "#00ff00", iconTag: "t", createdAt: instant(8) })
        assert.isAbove(full.id, bare.id)
        assert.deepStrictEqual(yield* organizations.find(bare.id), Option.some(bare))
        assert.deepStrictEqual(yield* organizations.find(full.id), Option.some(full))
        assert.deepStrictEqual(bare, {
          id: bare.id,
          name: anyText,
          color: null,
          iconTag: null,
          requiresSecondFactor: false,
          createdAt: instant(7)
        })
        assert.deepStrictEqual(yield* organizations.find(OrganizationIds.make(nowhere)), Option.none())
      })
    )

    it.effect("changes the one organization and no other", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const [one, other] = [yield* addOrganization, yield* addOrganization]
        const changed = { ...one, name: "New", color: "#123456", iconTag: "tag" }
        assert.deepStrictEqual(yield* organizations.update(changed), changed)
        assert.deepStrictEqual(yield* organizations.find(one.id), Option.some(changed))
        assert.deepStrictEqual(yield* organizations.find(other.id), Option.some(other))
      })
    )

    it.effect("stores, replaces and removes an icon of any bytes", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const [one, other] = [yield* addOrganization, yield* addOrganization]
        assert.deepStrictEqual(yield* iconOf(one.id), Option.none())
        yield* organizations.putIcon(one.id, { contentType: "image/png", bytes: Uint8Array.of(0, 255, 1) })
        assert.deepStrictEqual(yield* iconOf(one.id), Option.some(["image/png", 0, 255, 1]))
        yield* organizations.putIcon(one.id, { contentType: "image/gif", bytes: new Uint8Array(0) })
        assert.deepStrictEqual(yield* iconOf(one.id), Option.some(["image/gif"]))
        assert.deepStrictEqual(yield* iconOf(other.id), Option.none())
        yield* organizations.putIcon(other.id, { contentType: "image/gif", bytes: Uint8Array.of(2) })
        yield* organizations.putIcon(one.id, null)
        assert.deepStrictEqual(yield* iconOf(one.id), Option.none())
        assert.deepStrictEqual(yield* iconOf(other.id), Option.some(["image/gif", 2]))
        assert.deepStrictEqual(yield* organizations.find(one.id), Option.some(one))
      })
    )
  })

  layer(store)(`members in ${label}`, (it) => {
    it.effect("refuses a second membership of the same user and keeps the first", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const { id: organizationId } = yield* addOrganization
        const member = yield* addMember(organizationId)
        const again = yield* organizations.addMember({ ...member, createdAt: instant(99) })
        assert.deepStrictEqual(again, Option.none())
        assert.deepStrictEqual(yield* organizations.members(organizationId), [member])
      })
    )

    it.effect("finds a member in its own organization only", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const [one, other] = [yield* addOrganization, yield* addOrganization]
        const member = yield* addMember(one.id)
        const { id, userId } = member
        assert.deepStrictEqual(yield* organizations.findMember(one.id, id), Option.some(member))
        assert.deepStrictEqual(yield* organizations.findMember(other.id, id), Option.none())
        assert.deepStrictEqual(yield* organizations.findMember(one.id, MembershipId.make(nowhere)), Option.none())
        assert.deepStrictEqual(yield* organizations.findMemberByUser(one.id, userId), Option.some(member))
        assert.deepStrictEqual(yield* organizations.findMemberByUser(other.id, userId), Option.none())
        assert.deepStrictEqual(yield* organizations.findMemberByUser(one.id, newUserId()), Option.none())
      })
    )

    it.effect("lists members by id, and a user's organizations oldest membership first", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const { id: userId } = yield* addUser()
        const [one, other] = [yield* addOrganization, yield* addOrganization]
        const second = yield* organizations.addMember({ organizationId: other.id, userId, createdAt: instant(1) })
        const first = yield* organizations.addMember({ organizationId: one.id, userId, createdAt: instant(2) })
        const colleague = yield* addMember(one.id)
        assert.deepStrictEqual(yield* organizations.listOfUser(userId), [
          { organization: other, membership: Option.getOrThrow(second) },
          { organization: one, membership: Option.getOrThrow(first) }
        ])
        assert.deepStrictEqual(yield* organizations.members(one.id), [Option.getOrThrow(first), colleague])
        assert.deepStrictEqual(yield* organizations.listOfUser(newUserId()), [])
      })
    )

    it.effect("removes a member with its grants, leaves others theirs, and lets it come back", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const roles = yield* RoleRepo
        const { id: organizationId } = yield* addOrganization
        const [gone, kept] = [yield* addMember(organizationId), yield* addMember(organizationId)]
        const { id: roleId } = yield* addRole(organizationId)
        const { id: applicationId } = yield* addApplication(organizationId)
        const grant = { organizationId, roleId, createdAt: instant(0), createdBy: null }
        yield* roles.putGrant({ ...grant, membershipId: gone.id, applicationId: null })
        yield* roles.putGrant({ ...grant, membershipId: gone.id, applicationId })
        const other = yield* roles.putGrant({ ...grant, membershipId: kept.id, applicationId })
        yield* organizations.removeMember(gone.id)
        assert.deepStrictEqual(yield* roles.grants(organizationId), [other])
        assert.deepStrictEqual(yield* organizations.members(organizationId), [kept])
        const back = yield* organizations.addMember({ organizationId, userId: gone.userId, createdAt: instant(1) })
        assert.isAbove(Option.getOrThrow(back).id, kept.id)
        assert.deepStrictEqual(yield* roles.grantsOf(Option.getOrThrow(back).id), [])
      })
    )
  })

  layer(store)(`invitations in ${label}`, (it) => {
    it.effect("gives back what was put in and finds it by its hash", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const [one, other] = [yield* addOrganization, yield* addOrganization]
        const { id: roleId } = yield* addRole(one.id)
        const { id: invitedBy } = yield* addUser()
        const first = yield* organizations.insertInvitation({ ...newInvitation(one.id, roleId), invitedBy })
        const second = yield* organizations.insertInvitation(newInvitation(one.id, roleId))
        assert.deepStrictEqual(yield* organizations.findInvitation(one.id, first.id), Option.some(first))
        assert.deepStrictEqual(yield* organizations.findInvitation(other.id, first.id), Option.none())
        assert.deepStrictEqual(yield* organizations.findInvitation(one.id, InvitationId.make(nowhere)), Option.none())
        assert.deepStrictEqual(yield* organizations.findInvitationByHash(second.tokenHash), Option.some(second))
        assert.deepStrictEqual(yield* organizations.findInvitationByHash("nothing"), Option.none())
        assert.deepStrictEqual(yield* organizations.invitations(one.id), [first, second])
        assert.deepStrictEqual(yield* organizations.invitations(other.id), [])
      })
    )

    it.effect("F3: knows which addresses, in any case, are invited at an instant", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const { id } = yield* addOrganization
        const role = yield* addRole(id)
        assert.isTrue(yield* organizations.exists)
        const sent = newInvitation(id, role.id)
        const email = "Élan@Invited.test"
        const pending = yield* organizations.insertInvitation({ ...sent, email })
        const plain = yield* organizations.insertInvitation({
          ...newInvitation(id, role.id),
          email: "Plain@Invited.test"
        })
        assert.isTrue(yield* organizations.isInvited("éLAN@invited.test", instant(5)))
        assert.isTrue(yield* organizations.isInvited("plain@INVITED.test", instant(5)))
        assert.isFalse(yield* organizations.isInvited("other@invited.test", instant(5)))
        assert.isFalse(yield* organizations.isInvited(email, instant(6)))
        yield* organizations.updateInvitation({ ...pending, acceptedAt: instant(5) })
        assert.isFalse(yield* organizations.isInvited(email, instant(5)))
        yield* organizations.removeInvitation(plain.id)
        assert.isFalse(yield* organizations.isInvited("plain@invited.test", instant(5)))
      })
    )

    it.effect("changes and removes the one invitation and no other", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const { id: organizationId } = yield* addOrganization
        const { id: roleId } = yield* addRole(organizationId)
        const first = yield* organizations.insertInvitation(newInvitation(organizationId, roleId))
        const second = yield* organizations.insertInvitation(newInvitation(organizationId, roleId))
        const accepted = { ...first, acceptedAt: instant(77), tokenHash: `${first.tokenHash} again` }
        assert.deepStrictEqual(yield* organizations.updateInvitation(accepted), accepted)
        assert.deepStrictEqual(yield* organizations.invitations(organizationId), [accepted, second])
        assert.deepStrictEqual(yield* organizations.findInvitationByHash(first.tokenHash), Option.none())
        yield* organizations.removeInvitation(first.id)
        yield* organizations.removeInvitation(first.id)
        assert.deepStrictEqual(yield* organizations.invitations(organizationId), [second])
      })
    )

    it.effect("removes those that ended before an instant, but for those that were accepted", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const { id: organizationId } = yield* addOrganization
        const { id: roleId } = yield* addRole(organizationId)
        const sent = (ended: number, accepted: number | null) =>
          organizations.insertInvitation({
            ...newInvitation(organizationId, roleId),
            expiresAt: instant(ended),
            acceptedAt: accepted === null ? null : instant(accepted)
          })
        const [, accepted, late] = [yield* sent(9, null), yield* sent(9, 8), yield* sent(10, null)]
        yield* organizations.expireInvitations(instant(10).epochMillis)
        assert.deepStrictEqual(yield* organizations.invitations(organizationId), [accepted, late])
      })
    )
  })
}
