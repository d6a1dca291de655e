import { Clock, Effect, Layer } from "effect"

/**
 * The time of day, to which so many milliseconds are added for good by each of the next `looks` at it: whoever measures a slice of time finds
 * it full. Waiting takes as long as ever. The number is bounded because what repeats by the clock would never rest.
 */
export const tickingClock = (millisPerLook: number, looks = 0) => {
  const real = Clock.make()
  const state = { shift: 0, looks }
  const millis = () => {
    if (state.looks > 0) {
      state.looks--
      state.shift += millisPerLook
    }
    return real.unsafeCurrentTimeMillis() + state.shift
  }
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
