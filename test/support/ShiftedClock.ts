import { Clock, Effect, Layer } from "effect"

/** The time of day moved by `shift` milliseconds, as an operator or a wrong clock moves it. Waiting takes as long as ever, and uptime runs on. */
export const shiftedClock = () => {
  const real = Clock.make()
  const state = { shift: 0 }
  const millis = () => real.unsafeCurrentTimeMillis() + state.shift
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: millis,
    unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos(),
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanos: real.currentTimeNanos,
    sleep: real.sleep
  }
  return { state, layer: Layer.setClock(clock) }
}
