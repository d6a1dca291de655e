import { Clock, Effect, Option } from "effect"
import { RateLimited } from "../../../schema/RequestErrors.ts"
import type { Guesser, Limit, RateVerdict, RateWindow } from "../../domain/access/RateLimit.ts"
import { take } from "../../domain/access/RateLimit.ts"
import { LruCache, mebibyte } from "../../domain/LruCache.ts"
import { RateLimits } from "../../ports/access/RateLimits.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Settings } from "../../ports/operations/Settings.ts"

/** The numbers of a window. */
const countBytes = 24

/** Counts requests in memory, which a restart forgets, and failed sign-ins wherever they are counted for all processes. */
export class RateLimiter extends Effect.Service<RateLimiter>()("services/access/RateLimiter", {
  effect: Effect.gen(function* () {
    const { rateLimits } = yield* Settings
    const limits = yield* RateLimits
    const peers = yield* Peers
    const windows = new LruCache<RateWindow>(16 * mebibyte, () => countBytes)

    /** Takes one request of the key's window; none where limits are switched off. Processes share the limit in equal parts. */
    const request = Effect.fnUntraced(function* (key: string, { limit, windowMillis }: Limit) {
      if (!rateLimits) return Option.none<RateVerdict>()
      const own = { limit: Math.max(1, Math.floor(limit / peers.live())), windowMillis }
      const verdict = take(own, windows.get(key), yield* Clock.currentTimeMillis)
      windows.set(key, verdict.window)
      return Option.some(verdict)
    })

    const demandNoWait = (wait: number) =>
      wait > 0
        ? Effect.fail(RateLimited.after(wait / 1000, "Too many failed attempts: wait and try again"))
        : Effect.void

    /** Refuses while one of the guessers has to wait after failures. */
    const attempt = Effect.fnUntraced(function* (guessers: ReadonlyArray<Guesser>) {
      if (!rateLimits) return
      yield* demandNoWait(yield* limits.waitMillis(guessers, yield* Clock.currentTimeMillis))
    })

    /** The same for one guesser, whose guess counts as a failure from here on, until `success` says that it was right. */
    const guess = Effect.fnUntraced(function* (guesser: Guesser) {
      if (!rateLimits) return
      yield* demandNoWait(yield* limits.guess(guesser, yield* Clock.currentTimeMillis))
    })

    const failure = Effect.fnUntraced(function* (guessers: ReadonlyArray<Guesser>) {
      yield* limits.failure(guessers, yield* Clock.currentTimeMillis)
    })

    /** Forgets the failures of one guesser. An address keeps its own: it may guess at many accounts and own one. */
    const { success } = limits

    return { request, attempt, guess, failure, success } as const
  })
}) {}
