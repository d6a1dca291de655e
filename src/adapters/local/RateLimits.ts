import { Effect, Layer } from "effect"
import { type Failures, failed, type Guesser, waitMillis } from "../../domain/access/RateLimit.ts"
import { LruCache, mebibyte } from "../../domain/LruCache.ts"
import { RateLimits } from "../../ports/access/RateLimits.ts"

/** The numbers of failures. */
const countBytes = 24

/** For stores that one process has for itself: counted in memory, which a restart forgets. */
export const RateLimitsLocal = Layer.sync(RateLimits, () => {
  const failures = new LruCache<Failures>(16 * mebibyte, () => countBytes)
  const count = ({ key, free }: Guesser, now: number) => failures.set(key, failed(failures.get(key), free, now))
  return {
    waitMillis: (guessers, now) =>
      Effect.sync(() => Math.max(0, ...guessers.map(({ key }) => waitMillis(failures.get(key), now)))),
    guess: (guesser, now) =>
      Effect.sync(() => {
        const wait = waitMillis(failures.get(guesser.key), now)
        if (wait === 0) count(guesser, now)
        return wait
      }),
    failure: (guessers, now) =>
      Effect.sync(() => {
        for (const guesser of guessers) count(guesser, now)
      }),
    success: ({ key }) => Effect.sync(() => void failures.delete(key))
  }
})
