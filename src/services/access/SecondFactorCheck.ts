import { Clock, Effect, Option, Redacted } from "effect"
import { SecondFactorIncorrect, SecondFactorRequired } from "../../../schema/access/AccessErrors.ts"
import { guessedCode } from "../../domain/access/RateLimit.ts"
import { type Authenticator, readCode } from "../../domain/access/SecondFactor.ts"
import type { UserId } from "../../domain/Ids.ts"
import { OneTimeCodes } from "../../ports/access/OneTimeCodes.ts"
import { SecondFactorRepo } from "../../ports/access/SecondFactorRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { RateLimiter } from "./RateLimiter.ts"

const incorrect = new SecondFactorIncorrect({
  message: "code: neither the present code of your authenticator app nor one of your recovery codes; each is good once"
})

const needed = new SecondFactorRequired({
  message: "code: this account asks for a code of your authenticator app, or for a recovery code, beside the password"
})

/** Compares one-time codes and recovery codes, slowing down whoever guesses. */
export class SecondFactorCheck extends Effect.Service<SecondFactorCheck>()("services/access/SecondFactorCheck", {
  effect: Effect.gen(function* () {
    const codes = yield* OneTimeCodes
    const factors = yield* SecondFactorRepo
    const limiter = yield* RateLimiter
    const secrets = yield* Secrets

    /** The authenticator whose codes a sign-in of the person asks for; none where a password is enough. */
    const confirmedOf = (userId: UserId) =>
      Effect.map(
        factors.find(userId),
        Option.filter(({ confirmedAt }) => confirmedAt !== null)
      )

    const isCode = Effect.fnUntraced(function* ({ userId, secret }: Authenticator, typed: string) {
      const read = readCode(typed)
      if (read.kind === "neither") return false
      if (read.kind === "recovery") {
        return yield* factors.takeRecoveryCode(userId, secrets.hash(Redacted.make(read.code)))
      }
      const step = codes.stepOf(secret, read.code, yield* Clock.currentTimeMillis)
      return Option.isSome(step) && (yield* factors.useStep(userId, step.value))
    })

    /** Takes a code of the person, which is good this once. A guess counts before it is compared: many that come at once are not all let by. */
    const demand = Effect.fnUntraced(function* (authenticator: Authenticator, typed: string) {
      const guesser = guessedCode(authenticator.userId)
      yield* limiter.guess(guesser)
      if (yield* isCode(authenticator, typed)) return yield* limiter.success(guesser)
      return yield* Effect.fail(incorrect)
    })

    /** Asks for the second factor of an account once its password was right. Answers false where the account has none. */
    const demandAtSignIn = Effect.fnUntraced(function* (userId: UserId, typed: string | undefined) {
      const authenticator = yield* confirmedOf(userId)
      if (Option.isNone(authenticator)) return false
      if (typed === undefined) return yield* Effect.fail(needed)
      yield* demand(authenticator.value, typed)
      return true
    })

    return { confirmedOf, demand, demandAtSignIn } as const
  })
}) {}
