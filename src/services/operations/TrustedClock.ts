import { Clock, Effect, Ref } from "effect"
import { dayMillis } from "../../domain/Durations.ts"
import { observe, trustedFrom } from "../../domain/operations/TrustedTime.ts"
import { TrustedTimes } from "../../ports/operations/TrustedTimes.ts"
import { orWithoutSpace } from "../WithoutSpace.ts"
import { uptime } from "./Uptime.ts"

/** Milliseconds that a server may well have been stopped for: a shorter leap is no sign of a wrong clock. */
const worthTelling = 7 * dayMillis

/** The time by which things are deleted for their age: one wrong clock deletes nothing. */
export class TrustedClock extends Effect.Service<TrustedClock>()("services/operations/TrustedClock", {
  scoped: Effect.gen(function* () {
    const times = yield* TrustedTimes
    const state = yield* Ref.make(trustedFrom(yield* times.get, yield* Clock.currentTimeMillis, yield* uptime))

    /** Epoch milliseconds, at most the clock's. */
    const now = Effect.gen(function* () {
      const clock = yield* Clock.currentTimeMillis
      const elapsed = yield* uptime
      const before = yield* Ref.get(state)
      const after = observe(before, clock, elapsed)
      yield* Ref.set(state, after)
      if (after.ahead !== null && before.ahead?.since !== after.ahead.since && after.ahead.by >= worthTelling)
        yield* Effect.logWarning(
          `The clock is ${Math.round(after.ahead.by / dayMillis)} days ahead of when this server ran last: nothing is deleted for its age beyond that until the clock has stayed so for six hours`
        )
      // What is deleted for its age gives room again. A start that finds an earlier time deletes less.
      yield* orWithoutSpace(times.put(after.at), undefined)
      return after.at
    })

    yield* Effect.addFinalizer(() => Effect.ignoreLogged(Effect.catchAllDefect(now, () => Effect.void)))

    return { now } as const
  })
}) {}
