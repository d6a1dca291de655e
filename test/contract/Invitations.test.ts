import { Effect, Option } from "effect"
import { InvitationId } from "../../src/domain/Ids.ts"
import { OrganizationRepo } from "../../src/ports/OrganizationRepo.ts"
import { RoleRepo } from "../../src/ports/RoleRepo.ts"
import { contract } from "../support/MetadataStores.ts"
import { addOrganization, addRole, addUser, at, dies, newInvitation, same } from "../support/Rows.ts"

contract("OrganizationRepo: invitations", (holds) => {
  holds("keeps every field, null or not, and finds it by its organization or its hash", () =>
    Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      const inviter = yield* addUser(1)
      const { id } = yield* addOrganization("first")
      const other = yield* addOrganization("second")
      const role = yield* addRole(id, "role")
      const fields = { ...newInvitation(id, role.id, "a"), invitedBy: inviter.id, email: "Zoë@studio.test" }
      const full = yield* organizations.insertInvitation({ ...fields, acceptedAt: at(8) })
      const plain = yield* organizations.insertInvitation(newInvitation(id, role.id, "b"))
      same(full, { id: full.id, ...fields, acceptedAt: at(8) })
      same(yield* organizations.findInvitation(id, full.id), Option.some(full))
      same(yield* organizations.findInvitation(other.id, full.id), Option.none())
      same(yield* organizations.findInvitation(id, InvitationId.make(99)), Option.none())
      same(yield* organizations.findInvitationByHash("b"), Option.some(plain))
      same(yield* organizations.findInvitationByHash("c"), Option.none())
      same(yield* organizations.invitations(id), [full, plain])
      same(yield* organizations.invitations(other.id), [])
    })
  )

  holds("updates and removes one, and no other", () =>
    Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      const { id } = yield* addOrganization("first")
      const role = yield* addRole(id, "role")
      const first = yield* organizations.insertInvitation(newInvitation(id, role.id, "a"))
      const second = yield* organizations.insertInvitation(newInvitation(id, role.id, "b"))
      const accepted = { ...first, acceptedAt: at(3) }
      same(yield* organizations.updateInvitation(accepted), accepted)
      same(yield* organizations.invitations(id), [accepted, second])
      yield* organizations.removeInvitation(first.id)
      yield* organizations.removeInvitation(first.id)
      same(yield* organizations.invitations(id), [second])
      yield* dies(organizations.updateInvitation(accepted))
    })
  )

  holds("go with the role they promise", () =>
    Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      const roles = yield* RoleRepo
      const { id } = yield* addOrganization("first")
      const gone = yield* addRole(id, "gone")
      const stays = yield* addRole(id, "stays")
      yield* organizations.insertInvitation(newInvitation(id, gone.id, "a"))
      const kept = yield* organizations.insertInvitation(newInvitation(id, stays.id, "b"))
      yield* roles.remove(gone.id)
      same(yield* organizations.invitations(id), [kept])
    })
  )
})
