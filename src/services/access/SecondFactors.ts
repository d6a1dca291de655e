import { DateTime, Effect, Option, Redacted } from "effect"
import {
  SecondFactorAbsent,
  SecondFactorIncorrect,
  SecondFactorNotBegun,
  SecondFactorPresent
} from "../../../schema/access/AccessErrors.ts"
import type {
  AuthenticatorSetUp,
  ConfirmSecondFactor,
  ProveSecondFactor,
  RecoveryCodes,
  SecondFactorState,
  SetUpSecondFactor
} from "../../../schema/access/SecondFactors.ts"
import {
  type Authenticator,
  recoveryCodeBytes,
  recoveryCodeCount,
  recoveryCodeOf
} from "../../domain/access/SecondFactor.ts"
import type { MembershipId, OrganizationId, UserId } from "../../domain/Ids.ts"
import { OneTimeCodes } from "../../ports/access/OneTimeCodes.ts"
import { SecondFactorRepo } from "../../ports/access/SecondFactorRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { AccountRescue } from "./AccountRescue.ts"
import { Grants } from "./Grants.ts"
import { OwnAccount } from "./OwnAccount.ts"
import { Policy } from "./Policy.ts"
import { SecondFactorCheck } from "./SecondFactorCheck.ts"
import { type Cookie, Sessions } from "./Sessions.ts"

const replaced = new SecondFactorIncorrect({
  message: "code: it is of a key that another set-up has replaced meanwhile; show one of the newest key"
})

/** The authenticator apps of people, and the recovery codes for when one is lost. */
export class SecondFactors extends Effect.Service<SecondFactors>()("services/access/SecondFactors", {
  effect: Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    const check = yield* SecondFactorCheck
    const codes = yield* OneTimeCodes
    const factors = yield* SecondFactorRepo
    const own = yield* OwnAccount
    const secrets = yield* Secrets
    const sessions = yield* Sessions
    const transaction = yield* Transaction
    const policy = yield* Policy
    const grants = yield* Grants
    const rescue = yield* AccountRescue
    const server = `Gamekeeper ${new URL(publicUrl).host}`

    const stateOf = Effect.fnUntraced(function* (userId: UserId) {
      const confirmed = yield* check.confirmedOf(userId)
      return {
        confirmedAt: Option.match(confirmed, { onNone: () => null, onSome: ({ confirmedAt }) => confirmedAt }),
        recoveryCodesLeft: yield* factors.recoveryCodesLeft(userId)
      } satisfies SecondFactorState
    })

    const state = Effect.flatMap(own.caller, ({ id }) => stateOf(id))

    const demandAbsent = Effect.fnUntraced(function* (userId: UserId) {
      if (Option.isNone(yield* check.confirmedOf(userId))) return
      const message = "Your account has a second factor: take it away before you set up another one"
      return yield* Effect.fail(new SecondFactorPresent({ message }))
    })

    /** Begins: until a code of it is shown, the new authenticator changes nothing, and beginning again replaces it. */
    const setUp = Effect.fnUntraced(function* ({ currentPassword }: SetUpSecondFactor, cookie: Cookie) {
      const { id: userId, email } = yield* own.withPassword(currentPassword, cookie)
      const secret = yield* codes.secret
      const begun = { userId, secret, createdAt: yield* DateTime.now, confirmedAt: null, lastStep: 0 }
      yield* transaction.run(Effect.zipRight(demandAbsent(userId), factors.put(begun)))
      return { secret, address: codes.address(secret, server, email) } satisfies AuthenticatorSetUp
    })

    /** New recovery codes instead of those that the person may have. Only their hashes are stored. */
    const renewCodes = Effect.fnUntraced(function* (userId: UserId) {
      const recoveryCodes = yield* Effect.replicateEffect(
        Effect.map(secrets.bytes(recoveryCodeBytes), recoveryCodeOf),
        recoveryCodeCount
      )
      yield* factors.putRecoveryCodes(
        userId,
        recoveryCodes.map((code) => secrets.hash(Redacted.make(code)))
      )
      return { recoveryCodes } satisfies RecoveryCodes
    })

    /** Confirms the authenticator by a code of it, which this browser has shown then. */
    const confirm = Effect.fnUntraced(function* ({ code }: ConfirmSecondFactor, cookie: Cookie) {
      const { id } = yield* own.caller
      yield* demandAbsent(id)
      const begun = yield* Effect.flatMap(
        factors.find(id),
        Effect.mapError(
          () => new SecondFactorNotBegun({ message: "Begin with the set-up: it gives the key for the app" })
        )
      )
      yield* check.demand(begun, code)
      const confirmed = Effect.gen(function* () {
        yield* demandAbsent(id)
        // Another tab may have begun anew since the code was compared: nobody has shown a code of that key.
        const isSame = ({ secret }: Authenticator) => secret === begun.secret
        if (!Option.exists(yield* factors.find(id), isSame)) return yield* Effect.fail(replaced)
        yield* factors.confirm(id, yield* DateTime.now)
        yield* sessions.prove(cookie, id)
        return yield* renewCodes(id)
      })
      return yield* transaction.run(confirmed)
    })

    /** The caller, who has shown both factors. */
    const proven = Effect.fnUntraced(function* ({ currentPassword, code }: ProveSecondFactor, cookie: Cookie) {
      const { id } = yield* own.withPassword(currentPassword, cookie)
      const authenticator = yield* Effect.flatMap(
        check.confirmedOf(id),
        Effect.mapError(() => new SecondFactorAbsent({ message: "Your account has no second factor" }))
      )
      yield* check.demand(authenticator, code)
      return id
    })

    const newRecoveryCodes = Effect.fnUntraced(function* (proof: ProveSecondFactor, cookie: Cookie) {
      return yield* transaction.run(renewCodes(yield* proven(proof, cookie)))
    })

    const remove = Effect.fnUntraced(function* (proof: ProveSecondFactor, cookie: Cookie) {
      yield* factors.remove(yield* proven(proof, cookie))
    })

    /** Takes the second factor of a member away who has lost it. Asks of the caller what a link for another password does. */
    const removeOfMember = Effect.fnUntraced(
      function* (organizationId: OrganizationId, membershipId: MembershipId) {
        yield* policy.organization("members:write", organizationId)
        const membership = yield* grants.memberOf(organizationId, membershipId)
        yield* rescue.demandHolds(membership)
        if (yield* factors.remove(membership.userId)) return
        return yield* Effect.fail(new SecondFactorAbsent({ message: "This member's account has no second factor" }))
      },
      (effect) => transaction.run(effect)
    )

    return { state, setUp, confirm, newRecoveryCodes, remove, removeOfMember } as const
  })
}) {}
