import { Effect, Option } from "effect"
import { Forbidden } from "../../../schema/access/AccessErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import type { Membership } from "../../domain/access/Organization.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { OrganizationId, UserId } from "../../domain/Ids.ts"
import { CredentialRepo } from "../../ports/access/CredentialRepo.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { AuditRepo } from "../../ports/operations/AuditRepo.ts"
import { Delegation } from "./Delegation.ts"
import { ServerOwners } from "./ServerOwners.ts"

/** Whom a member may let back into their account: with a link for another password, or without a lost second factor. */
export class AccountRescue extends Effect.Service<AccountRescue>()("services/access/AccountRescue", {
  effect: Effect.gen(function* () {
    const audit = yield* AuditRepo
    const credentials = yield* CredentialRepo
    const organizations = yield* OrganizationRepo
    const delegation = yield* Delegation
    const owners = yield* ServerOwners
    const users = yield* UserRepo

    /**
     * Whether nobody has done anything in the organization since it was made: the first sign-in gives everybody one. So whoever opens the
     * account of its owner finds nothing there.
     */
    const isUntouched = Effect.fnUntraced(function* (id: OrganizationId) {
      const [members, keys, changes] = yield* Effect.all([
        organizations.members(id),
        credentials.list(id),
        audit.chain(id)
      ])
      return members.length === 1 && keys.length === 0 && changes.last === 0
    })

    /** Whether the person owns the server, which the caller does not: what that opens is no organization's to give. */
    const isAbove = Effect.fnUntraced(function* (userId: UserId) {
      const isOwner = Option.exists(yield* users.find(userId), ({ email }) => owners.isOwner(email))
      return isOwner && !owners.isOwner(userOf(yield* Principal)?.email ?? "")
    })

    /** Rescuing somebody is as good as having their account, so it must open nothing that the caller could not reach without it. */
    const demandHolds = Effect.fnUntraced(function* (membership: Membership) {
      const refuse = (message: string) => Effect.fail(new Forbidden({ message }))
      if (yield* delegation.isCaller(membership)) {
        return yield* refuse(
          "Nobody does this for themselves: change your password, or your second factor, in your account"
        )
      }
      if (yield* isAbove(membership.userId)) {
        return yield* refuse(
          "This person owns the server: only another owner of it, or its operator, can let them back in"
        )
      }
      const all = yield* organizations.listOfUser(membership.userId)
      const others = all.filter(({ organization }) => organization.id !== membership.organizationId)
      if (!(yield* Effect.every(others, ({ organization }) => isUntouched(organization.id)))) {
        return yield* refuse(
          "This person belongs to another organization too: only the operator of this server can let them back in"
        )
      }
      yield* Effect.catchAll(delegation.mayRemove(membership), () =>
        refuse(
          "This person may do what you may not, and whoever lets them back in could have their account: ask an owner"
        )
      )
    })

    return { demandHolds } as const
  })
}) {}
