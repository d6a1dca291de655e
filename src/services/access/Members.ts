import { Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { MemberPage, MemberRecord } from "../../../schema/access/Organizations.ts"
import type { Paging } from "../../../schema/Parameters.ts"
import type { Membership } from "../../domain/access/Organization.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { MembershipId, OrganizationId, RoleId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Delegation } from "./Delegation.ts"
import { Grants } from "./Grants.ts"
import { MemberView } from "./MemberView.ts"
import { page } from "../analytics/Page.ts"
import { Policy } from "./Policy.ts"

/** Who belongs to an organization. */
export class Members extends Effect.Service<Members>()("services/access/Members", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const transaction = yield* Transaction
    const policy = yield* Policy
    const delegation = yield* Delegation
    const grants = yield* Grants
    const view = yield* MemberView

    const recordOf = Effect.fnUntraced(function* (membership: Membership) {
      const [record] = yield* view.members(membership.organizationId, [membership])
      return (yield* Effect.orDie(Effect.fromNullable(record))) satisfies MemberRecord
    })

    const list = Effect.fnUntraced(function* (organizationId: OrganizationId, paging: typeof Paging.Type) {
      yield* policy.organization("members:read", organizationId)
      const { items, nextCursor } = yield* page(
        yield* organizations.members(organizationId),
        (member) => member.id,
        paging
      )
      return { items: yield* view.members(organizationId, items), nextCursor } satisfies MemberPage
    })

    const setRole = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      membershipId: MembershipId,
      roleId: RoleId
    ) {
      yield* grants.put(organizationId, membershipId, roleId)
      return yield* recordOf(yield* grants.memberOf(organizationId, membershipId))
    })

    /** Removes a member with all its grants, all of which the caller must hold. Everybody may remove themselves. */
    const remove = Effect.fnUntraced(
      function* (organizationId: OrganizationId, membershipId: MembershipId) {
        yield* policy.member(organizationId)
        const own = userOf(yield* Principal)?.id
        const found = yield* organizations.findMember(organizationId, membershipId)
        const isOwn = Option.exists(found, ({ userId }) => userId === own)
        if (!isOwn) yield* policy.organization("members:write", organizationId)
        const membership = yield* grants.memberOf(organizationId, membershipId)
        if (!isOwn) yield* delegation.mayRemove(membership)
        yield* grants.demandAnotherOwner(membership)
        yield* organizations.removeMember(membershipId)
      },
      (effect) => transaction.run(effect)
    )

    return { list, setRole, remove } as const
  })
}) {}
