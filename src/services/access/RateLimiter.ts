import { Clock, Effect, Option } from "effect"
import { RateLimited } from "../../../schema/RequestErrors.ts"
import type { Failures, Guesser, Limit, Verdict, Window } from "../../domain/access/RateLimit.ts"
import { failed, take, waitMillis } from "../../domain/access/RateLimit.ts"
import { LruCache, mebibyte } from "../../domain/LruCache.ts"
import { Settings } from "../../ports/operations/Settings.ts"

/** The numbers of a window or of failures. */
const countBytes = 24

/** Counts requests and failed sign-ins in memory; a restart forgets them. */
export class RateLimiter extends Effect.Service<RateLimiter>()("services/access/RateLimiter", {
  effect: Effect.gen(function* () {
    const { rateLimits } = yield* Settings
    const windows = new LruCache<Window>(16 * mebibyte, () => countBytes)
    const failures = new LruCache<Failures>(16 * mebibyte, () => countBytes)

    /** Takes one request of the key's window; none where limits are switched off. */
    const request = Effect.fn("RateLimiter.request")(function* (key: string, limit: Limit) {
      if (!rateLimits) return Option.none<Verdict>()
      const verdict = take(limit, windows.get(key), yield* Clock.currentTimeMillis)
      windows.set(key, verdict.window)
      return Option.some(verdict)
    })

    /** Refuses while one of the guessers has to wait after failures. */
    const attempt = Effect.fn("RateLimiter.attempt")(function* (guessers: ReadonlyArray<Guesser>) {
      const now = yield* Clock.currentTimeMillis
      const wait = rateLimits ? Math.max(...guessers.map(({ key }) => waitMillis(failures.get(key), now))) : 0
      if (wait > 0) {
        return yield* Effect.fail(RateLimited.after(wait / 1000, "Too many failed attempts: wait and try again"))
      }
    })

    const failure = Effect.fn("RateLimiter.failure")(function* (guessers: ReadonlyArray<Guesser>) {
      const now = yield* Clock.currentTimeMillis
      for (const { key, free } of guessers) failures.set(key, failed(failures.get(key), free, now))
    })

    /** Forgets the failures of one guesser. An address keeps its own: it may guess at many accounts and own one. */
    const success = ({ key }: Guesser) => Effect.sync(() => failures.delete(key))

    return { request, attempt, failure, success } as const
  })
}) {}
