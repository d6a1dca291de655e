import type { Effect } from "effect"
import { Context } from "effect"
import type { Guesser } from "../../domain/access/RateLimit.ts"

/** Failures of those who guess passwords and codes, counted over all processes that share the stores. Instants are epoch milliseconds. */
export class RateLimits extends Context.Tag("ports/access/RateLimits")<
  RateLimits,
  {
    /** The longest wait of any of the guessers, in milliseconds; 0: none has to wait. */
    readonly waitMillis: (guessers: ReadonlyArray<Guesser>, now: number) => Effect.Effect<number>
    /**
     * Counts a failure of the guesser before its guess is looked at, unless it has to wait: then answers for how many milliseconds, and counts
     * nothing. Of guesses that come at the same time, to whatever process, each is counted before the next is let by.
     */
    readonly guess: (guesser: Guesser, now: number) => Effect.Effect<number>
    /** Counts one failure of each guesser. Failures that several processes count at the same time are all counted. */
    readonly failure: (guessers: ReadonlyArray<Guesser>, now: number) => Effect.Effect<void>
    /** Forgets the failures of the guesser, who has shown the right password or code. */
    readonly success: (guesser: Guesser) => Effect.Effect<void>
  }
>() {}
