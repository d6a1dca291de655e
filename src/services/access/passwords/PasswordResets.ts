import { DateTime, Effect, Option, Redacted } from "effect"
import { PasswordResetNotFound } from "../../../../schema/access/AccessErrors.ts"
import { Principal } from "../../../../schema/access/Auth.ts"
import type { PasswordResetLink, UsePasswordReset } from "../../../../schema/access/PasswordResets.ts"
import type { SignInPlace } from "../../../domain/access/Browser.ts"
import { isOver, type PasswordReset } from "../../../domain/access/PasswordReset.ts"
import { userOf } from "../../../domain/access/Principal.ts"
import type { MembershipId, OrganizationId } from "../../../domain/Ids.ts"
import { OrganizationRepo } from "../../../ports/access/OrganizationRepo.ts"
import { PasswordResetRepo } from "../../../ports/access/PasswordResetRepo.ts"
import { Secrets } from "../../../ports/access/Secrets.ts"
import { SignInLog } from "../../../ports/access/SignInLog.ts"
import { UserRepo } from "../../../ports/access/UserRepo.ts"
import { Settings } from "../../../ports/operations/Settings.ts"
import { Transaction } from "../../../ports/operations/Transaction.ts"
import { AccountRescue } from "../AccountRescue.ts"
import { Grants } from "../Grants.ts"
import { NewPasswords } from "./NewPasswords.ts"
import { PasswordResetLinks } from "./PasswordResetLinks.ts"
import { Policy } from "../Policy.ts"
import { Rights } from "../Rights.ts"
import { Sessions } from "../Sessions.ts"

const missing = new PasswordResetNotFound({
  message: "This link does not exist, was used or replaced, or has expired: ask for another one"
})

/** Links by which people who have lost their password get back into their accounts. */
export class PasswordResets extends Effect.Service<PasswordResets>()("services/access/PasswordResets", {
  effect: Effect.gen(function* () {
    const { trustProxy } = yield* Settings
    const organizations = yield* OrganizationRepo
    const resets = yield* PasswordResetRepo
    const passwords = yield* NewPasswords
    const secrets = yield* Secrets
    const log = yield* SignInLog
    const users = yield* UserRepo
    const sessions = yield* Sessions
    const transaction = yield* Transaction
    const policy = yield* Policy
    const rights = yield* Rights
    const grants = yield* Grants
    const links = yield* PasswordResetLinks
    const rescue = yield* AccountRescue

    const create = Effect.fnUntraced(
      function* (organizationId: OrganizationId, membershipId: MembershipId) {
        yield* policy.organization("members:write", organizationId)
        const membership = yield* grants.memberOf(organizationId, membershipId)
        yield* rescue.demandHolds(membership)
        const caller = userOf(yield* Principal)
        const handedOut = caller === null ? null : { organizationId, by: caller.id }
        return (yield* links.make(membership.userId, handedOut)) satisfies PasswordResetLink
      },
      (effect) => transaction.run(effect)
    )

    /** Refuses a link that whoever handed it out could not make any more: who has left, or may do less than its member by now. */
    const demandMaker = Effect.fnUntraced(function* ({ handedOut, userId }: PasswordReset) {
      if (handedOut === null) return
      const { organizationId, by } = handedOut
      const maker = yield* Effect.flatMap(
        users.find(by),
        Effect.mapError(() => missing)
      )
      const membership = yield* Effect.mapError(
        yield* organizations.findMemberByUser(organizationId, userId),
        () => missing
      )
      // Not asked of `Policy`, which would note in the log of changes that the maker is changing something now.
      const mayStill = Effect.gen(function* () {
        const held = yield* rights.heldOrNothing(organizationId)
        if (!held(null).has("members:write")) return yield* Effect.fail(missing)
        yield* rescue.demandHolds(membership)
      })
      const byMaker = Effect.provideService(mayStill, Principal, { kind: "session", userId: by, email: maker.email })
      yield* Effect.mapError(byMaker, () => missing)
    })

    const valid = Effect.fnUntraced(function* (found: Option.Option<PasswordReset>) {
      if (Option.isNone(found) || isOver(found.value, yield* DateTime.now)) return yield* Effect.fail(missing)
      yield* demandMaker(found.value)
      const user = yield* users.find(found.value.userId)
      if (Option.isNone(user) || user.value.deletedAt !== null) return yield* Effect.fail(missing)
      return user.value
    })

    const replace = Effect.fnUntraced(function* (tokenHash: string, passwordHash: string, place: SignInPlace) {
      const user = yield* valid(yield* resets.take(tokenHash))
      yield* users.update({ ...user, passwordHash })
      yield* sessions.endWaysIn(user.id)
      yield* log.append({ ...place, userId: user.id, outcome: "passwordReset", at: yield* DateTime.now })
    })

    /** Gives the account of the link the password, and ends all its sessions and passkeys. The link is looked at first: passwords are slow to hash. */
    const use = Effect.fnUntraced(function* ({ token, password }: UsePasswordReset, place: SignInPlace) {
      const tokenHash = secrets.hash(Redacted.make(token))
      const user = yield* valid(yield* resets.findByTokenHash(tokenHash))
      const passwordHash = yield* passwords.hash("password", password, user)
      yield* transaction.run(replace(tokenHash, passwordHash, place))
    })

    return { create, use, trustProxy } as const
  })
}) {}
