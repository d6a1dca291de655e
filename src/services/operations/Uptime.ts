import { Clock, Effect } from "effect"

const nanosPerMilli = 1_000_000n

/** Milliseconds that run on whatever anybody does to the clock. */
export const uptime: Effect.Effect<number> = Effect.map(Clock.currentTimeNanos, (nanos) =>
  Number(nanos / nanosPerMilli)
)
