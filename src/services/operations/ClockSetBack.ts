import { Clock, Effect, Ref } from "effect"
import { minuteMillis } from "../../domain/Durations.ts"
import { uptime } from "./Uptime.ts"

/** Milliseconds from which on a step back of the clock is one that somebody, or a time server, has set it back by. */
const leastMillis = minuteMillis

/** How far the time of day is ahead of uptime, which nobody sets. */
const aheadOfUptime = Effect.zipWith(Clock.currentTimeMillis, uptime, (now, elapsed) => now - elapsed)

/**
 * Makes a question that answers whether the clock was set back since it was asked last. What a clock had planned that was ahead by hours would
 * wait for these hours after that.
 */
export const clockSetBack = Effect.map(Effect.flatMap(aheadOfUptime, Ref.make), (seen) =>
  Effect.flatMap(aheadOfUptime, (ahead) =>
    Effect.map(Ref.getAndSet(seen, ahead), (before) => before - ahead >= leastMillis)
  )
)
