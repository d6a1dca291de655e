import { Clock, Effect, MutableHashMap, Option } from "effect"
import { RateLimited } from "../../../schema/RequestErrors.ts"
import type { Failures, Guesser, Limit, Verdict, Window } from "../../domain/access/RateLimit.ts"
import { failed, take, waitMs } from "../../domain/access/RateLimit.ts"
import { Settings } from "../../ports/operations/Settings.ts"

/** Keys remembered at most; beyond it the oldest go first. */
const maxKeys = 100_000

const bounded = <V>() => {
  const entries = MutableHashMap.empty<string, V>()
  const put = (key: string, value: V) => {
    MutableHashMap.remove(entries, key)
    if (MutableHashMap.size(entries) >= maxKeys) {
      for (const [oldest] of entries) {
        MutableHashMap.remove(entries, oldest)
        break
      }
    }
    MutableHashMap.set(entries, key, value)
  }
  const get = (key: string) => Option.getOrUndefined(MutableHashMap.get(entries, key))
  return { get, put, remove: (key: string) => MutableHashMap.remove(entries, key) }
}

/** Counts requests and failed sign-ins in memory; a restart forgets them. */
export class RateLimiter extends Effect.Service<RateLimiter>()("services/access/RateLimiter", {
  effect: Effect.gen(function* () {
    const { rateLimits } = yield* Settings
    const windows = bounded<Window>()
    const failures = bounded<Failures>()

    /** Takes one request of the key's window; none where limits are switched off. */
    const request = Effect.fn("RateLimiter.request")(function* (key: string, limit: Limit) {
      if (!rateLimits) return Option.none<Verdict>()
      const verdict = take(limit, windows.get(key), yield* Clock.currentTimeMillis)
      windows.put(key, verdict.window)
      return Option.some(verdict)
    })

    /** Refuses while one of the guessers has to wait after failures. */
    const attempt = Effect.fn("RateLimiter.attempt")(function* (guessers: ReadonlyArray<Guesser>) {
      const now = yield* Clock.currentTimeMillis
      const wait = rateLimits ? Math.max(...guessers.map(({ key }) => waitMs(failures.get(key), now))) : 0
      if (wait > 0) {
        return yield* Effect.fail(RateLimited.after(wait / 1000, "Too many failed attempts: wait and try again"))
      }
    })

    const failure = Effect.fn("RateLimiter.failure")(function* (guessers: ReadonlyArray<Guesser>) {
      const now = yield* Clock.currentTimeMillis
      for (const { key, free } of guessers) failures.put(key, failed(failures.get(key), free, now))
    })

    /** Forgets the failures of one guesser. An address keeps its own: it may guess at many accounts and own one. */
    const success = ({ key }: Guesser) => Effect.sync(() => failures.remove(key))

    return { request, attempt, failure, success } as const
  })
}) {}
