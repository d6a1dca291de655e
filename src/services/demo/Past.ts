import { Clock, Effect } from "effect"

/** Does something as if it were another time (epoch milliseconds): what it writes down carries that time. Waiting takes as long as ever. */
export const asOf =
  (instant: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) => {
      const past: Clock.Clock = {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: () => instant,
        unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
        currentTimeMillis: Effect.succeed(instant),
        currentTimeNanos: clock.currentTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      }
      return Effect.withClock(effect, past)
    })
