import { Effect, Redacted } from "effect"
import { InvalidCredentials, SignUpClosed } from "../../../../schema/access/AccessErrors.ts"
import type { Guesser } from "../../../domain/access/RateLimit.ts"
import { Passwords } from "../../../ports/access/Passwords.ts"
import { Secrets } from "../../../ports/access/Secrets.ts"
import { cachedSuccess } from "../../CachedSuccess.ts"
import { RateLimiter } from "../RateLimiter.ts"

/** The same for an unknown address and a wrong password. */
export const wrong = new InvalidCredentials({ message: "The e-mail address or the password is wrong" })

/** Signing up by password where a provider says who people are. */
export const onlyThroughProvider = new SignUpClosed({
  message: "Accounts are made by signing in through the provider, not by password"
})

/** Passwords checked at the same time: bounds the guesses that pass the throttle together, and what slow hashes take of the machine. */
const parallel = 4

/** Compares passwords, slowing down whoever guesses. */
export class PasswordCheck extends Effect.Service<PasswordCheck>()("services/access/PasswordCheck", {
  effect: Effect.gen(function* () {
    const limiter = yield* RateLimiter
    const passwords = yield* Passwords
    const secrets = yield* Secrets
    const turns = yield* Effect.makeSemaphore(parallel)
    const decoy = yield* cachedSuccess(Effect.flatMap(secrets.uuid, (uuid) => passwords.hash(Redacted.make(uuid))))

    /**
     * Whether the password is the one of the hash. Takes as long where there is no hash; failures slow down the account
     * and whoever else guesses.
     */
    const verify = Effect.fnUntraced(function* (
      password: Redacted.Redacted,
      hash: string | undefined,
      account: Guesser,
      ...others: ReadonlyArray<Guesser>
    ) {
      const nobodys = yield* decoy
      const guess = Effect.gen(function* () {
        yield* limiter.attempt([account, ...others])
        const matches = yield* passwords.verify(password, hash ?? nobodys)
        const isRight = matches && hash !== undefined
        yield* isRight ? limiter.success(account) : limiter.failure([account, ...others])
        return isRight
      })
      return yield* turns.withPermits(1)(guess)
    })

    return { verify } as const
  })
}) {}
