import type { Effect } from "effect"
import { Context } from "effect"

/** How far time was believed to have come, kept over restarts. */
export class TrustedTimes extends Context.Tag("ports/operations/TrustedTimes")<
  TrustedTimes,
  {
    /** Epoch milliseconds; null before the first `put`. */
    readonly get: Effect.Effect<number | null>
    /** Keeps the instant (epoch milliseconds) in the place of the one before. */
    readonly put: (at: number) => Effect.Effect<void>
  }
>() {}
