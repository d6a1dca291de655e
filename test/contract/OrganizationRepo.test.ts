import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { MembershipId, OrganizationId } from "../../src/domain/Ids.ts"
import { OrganizationRepo } from "../../src/ports/OrganizationRepo.ts"
import { RoleRepo } from "../../src/ports/RoleRepo.ts"
import { contract } from "../support/MetadataStores.ts"
import { addMember, addOrganization, addRole, addUser, at, dies, newGrant, same, userId } from "../support/Rows.ts"

const unknown = OrganizationId.make(99)

contract("OrganizationRepo: organizations", (holds) => {
  holds("keeps every field, null or not", () =>
    Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      const plain = { name: "Stüdio 🎮", color: null, iconTag: null, createdAt: at(3) }
      const full = { name: "", color: "#ff0000", iconTag: "tag", createdAt: at(4) }
      const first = yield* organizations.insert(plain)
      const second = yield* organizations.insert(full)
      same(yield* organizations.find(first.id), Option.some({ id: first.id, ...plain }))
      same(yield* organizations.find(second.id), Option.some({ id: second.id, ...full }))
      same(yield* organizations.find(unknown), Option.none())
    })
  )

  holds("updates one organization; an update of none is a defect", () =>
    Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      const first = yield* addOrganization("first")
      const second = yield* addOrganization("second")
      const changed = { ...first, name: "renamed", color: "#00ff00", iconTag: "tag" }
      same(yield* organizations.update(changed), changed)
      same(yield* organizations.find(first.id), Option.some(changed))
      same(yield* organizations.find(second.id), Option.some(second))
      yield* dies(organizations.update({ ...changed, id: unknown }))
    })
  )

  holds("lists a user's organizations with the membership, oldest membership first", () =>
    Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      yield* Effect.forEach([1, 2], addUser)
      const first = yield* addOrganization("first")
      const second = yield* addOrganization("second")
      yield* addOrganization("third")
      const later = yield* addMember(second.id, userId(1))
      yield* addMember(second.id, userId(2))
      const latest = yield* addMember(first.id, userId(1))
      same(yield* organizations.listOfUser(userId(1)), [
        { organization: second, membership: later },
        { organization: first, membership: latest }
      ])
      same(yield* organizations.listOfUser(userId(3)), [])
    })
  )

  holds("keeps an icon of any bytes apart from the organization, replaces and removes it", () =>
    Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      const first = yield* addOrganization("first")
      const second = yield* addOrganization("second")
      const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256)
      const read = Effect.map(
        organizations.icon(first.id),
        Option.map((icon) => [icon.contentType, ...icon.bytes])
      )
      same(yield* read, Option.none())
      yield* organizations.putIcon(first.id, { contentType: "image/png", bytes })
      same(yield* read, Option.some(["image/png", ...bytes]))
      yield* organizations.putIcon(first.id, { contentType: "image/gif", bytes: Uint8Array.of() })
      same(yield* read, Option.some(["image/gif"]))
      yield* organizations.putIcon(second.id, null)
      same(yield* read, Option.some(["image/gif"]))
      yield* organizations.putIcon(first.id, null)
      same(yield* read, Option.none())
      same(yield* organizations.find(first.id), Option.some(first))
    })
  )
})

contract("OrganizationRepo: members", (holds) => {
  holds("takes a member once per organization; a refusal changes nothing", () =>
    Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      yield* addUser(1)
      const first = yield* addOrganization("first")
      const second = yield* addOrganization("second")
      const membership = yield* addMember(first.id, userId(1))
      const again = organizations.addMember({ organizationId: first.id, userId: userId(1), createdAt: at(50) })
      same(yield* again, Option.none())
      same(yield* organizations.members(first.id), [membership])
      const elsewhere = yield* addMember(second.id, userId(1))
      assert.notStrictEqual(elsewhere.id, membership.id)
    })
  )

  holds("finds a member only in its own organization", () =>
    Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      yield* Effect.forEach([1, 2], addUser)
      const first = yield* addOrganization("first")
      const second = yield* addOrganization("second")
      const member = yield* addMember(first.id, userId(1))
      same(yield* organizations.findMember(first.id, member.id), Option.some(member))
      same(yield* organizations.findMember(second.id, member.id), Option.none())
      same(yield* organizations.findMember(first.id, MembershipId.make(99)), Option.none())
      same(yield* organizations.findMemberByUser(first.id, userId(1)), Option.some(member))
      same(yield* organizations.findMemberByUser(second.id, userId(1)), Option.none())
      same(yield* organizations.findMemberByUser(first.id, userId(2)), Option.none())
    })
  )

  holds("lists members by id and removes one with its grants, and no other", () =>
    Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      const roles = yield* RoleRepo
      yield* Effect.forEach([1, 2], addUser)
      const { id } = yield* addOrganization("first")
      const second = yield* addMember(id, userId(2))
      const first = yield* addMember(id, userId(1))
      same(yield* organizations.members(id), [second, first])
      const role = yield* addRole(id, "role")
      yield* roles.putGrant(newGrant(id, second.id, role.id))
      const kept = yield* roles.putGrant(newGrant(id, first.id, role.id))
      yield* organizations.removeMember(second.id)
      yield* organizations.removeMember(second.id)
      same(yield* organizations.members(id), [first])
      same(yield* roles.grants(id), [kept])
      same(yield* roles.grantsOf(second.id), [])
      const again = yield* addMember(id, userId(2))
      assert.isAbove(again.id, first.id)
      same(yield* roles.grantsOf(again.id), [])
    })
  )
})
