import { DateTime, Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { AlreadyMember, SlotsExhausted, UserNotFound } from "../../../schema/access/AccessErrors.ts"
import type { AddMember, MemberPage, MemberRecord } from "../../../schema/access/Organizations.ts"
import type { Paging } from "../../../schema/Parameters.ts"
import { statusOfInvitation } from "../../domain/access/Organization.ts"
import type { Membership } from "../../domain/access/Organization.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { emailKey } from "../../domain/access/User.ts"
import type { MembershipId, OrganizationId, RoleId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { Grants } from "./Grants.ts"
import { MemberView } from "./MemberView.ts"
import { page } from "../analytics/Page.ts"
import { Policy } from "./Policy.ts"

/** Who belongs to an organization. */
export class Members extends Effect.Service<Members>()("services/access/Members", {
  effect: Effect.gen(function* () {
    const { memberSlots } = yield* Settings
    const organizations = yield* OrganizationRepo
    const users = yield* UserRepo
    const transaction = yield* Transaction
    const policy = yield* Policy
    const grants = yield* Grants
    const view = yield* MemberView

    const recordOf = Effect.fnUntraced(function* (membership: Membership) {
      const [record] = yield* view.members(membership.organizationId, [membership])
      return (yield* Effect.orDie(Effect.fromNullable(record))) satisfies MemberRecord
    })

    /** Keeps a slot for the e-mail address, whose own pending invitations make room; members and other invitations count. */
    const reserve = Effect.fn("Members.reserve")(function* (organizationId: OrganizationId, email: string) {
      const now = yield* DateTime.now
      const sent = yield* organizations.invitations(organizationId)
      const pending = sent.filter((each) => statusOfInvitation(each, now) === "pending")
      const others = pending.filter((each) => emailKey(each.email) !== emailKey(email))
      const taken = (yield* organizations.members(organizationId)).length + others.length
      if (taken >= memberSlots) {
        return yield* Effect.fail(
          new SlotsExhausted({
            message: `Members and invitations take ${taken} of ${memberSlots} slots of this organization`
          })
        )
      }
      return pending.filter((each) => emailKey(each.email) === emailKey(email))
    })

    const list = Effect.fn("Members.list")(function* (organizationId: OrganizationId, paging: typeof Paging.Type) {
      yield* policy.organization("members:read", organizationId)
      const { items, nextCursor } = yield* page(
        yield* organizations.members(organizationId),
        (member) => member.id,
        paging
      )
      return { items: yield* view.members(organizationId, items), nextCursor } satisfies MemberPage
    })

    /** Makes a user with an account a member; an invitation the user still has becomes void. */
    const add = Effect.fn("Members.add")(
      function* (organizationId: OrganizationId, { email, roleId }: AddMember) {
        yield* policy.organization("members:write", organizationId)
        const role = yield* grants.roleOf(organizationId, roleId)
        yield* policy.mayGiveRole(role, null)
        const user = yield* users.findByEmail(email)
        if (Option.isNone(user)) {
          return yield* Effect.fail(new UserNotFound({ message: `No account has the e-mail address ${email}` }))
        }
        const invitations = yield* reserve(organizationId, email)
        const createdAt = yield* DateTime.now
        const added = yield* organizations.addMember({ organizationId, userId: user.value.id, createdAt })
        if (Option.isNone(added)) {
          return yield* Effect.fail(new AlreadyMember({ message: `${email} already is a member` }))
        }
        yield* Effect.forEach(invitations, ({ id }) => organizations.removeInvitation(id))
        yield* grants.give(added.value, role, null)
        return yield* recordOf(added.value)
      },
      (effect) => transaction.run(effect)
    )

    const setRole = Effect.fn("Members.setRole")(function* (
      organizationId: OrganizationId,
      membershipId: MembershipId,
      roleId: RoleId
    ) {
      yield* grants.put(organizationId, membershipId, roleId)
      return yield* recordOf(yield* grants.memberOf(organizationId, membershipId))
    })

    /** Removes a member with all its grants; everybody may remove themselves. */
    const remove = Effect.fn("Members.remove")(
      function* (organizationId: OrganizationId, membershipId: MembershipId) {
        yield* policy.member(organizationId)
        const own = userOf(yield* Principal)?.id
        const found = yield* organizations.findMember(organizationId, membershipId)
        if (!Option.exists(found, ({ userId }) => userId === own)) {
          yield* policy.organization("members:write", organizationId)
        }
        const membership = yield* grants.memberOf(organizationId, membershipId)
        yield* grants.release(membership)
        yield* organizations.removeMember(membershipId)
      },
      (effect) => transaction.run(effect)
    )

    return { reserve, list, add, setRole, remove } as const
  })
}) {}
