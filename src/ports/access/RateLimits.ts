import type { Effect } from "effect"
import { Context } from "effect"
import type { Guesser } from "../../domain/access/RateLimit.ts"

/** Failures of those who guess passwords, counted over all processes that share the stores. Instants are epoch milliseconds. */
export class RateLimits extends Context.Tag("ports/access/RateLimits")<
  RateLimits,
  {
    /** Milliseconds for which one of the guessers has to wait, the longest of them; 0: none has to. */
    readonly waitMillis: (guessers: ReadonlyArray<Guesser>, now: number) => Effect.Effect<number>
    /** Counts a failure of each. Of those that are counted at once, in whichever processes, none is lost. */
    readonly failure: (guessers: ReadonlyArray<Guesser>, now: number) => Effect.Effect<void>
    /** Forgets the failures of one. */
    readonly success: (guesser: Guesser) => Effect.Effect<void>
  }
>() {}
