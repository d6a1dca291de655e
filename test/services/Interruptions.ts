import { Effect, Fiber } from "effect"

/** A fiber gives way after so many steps; Effect makes no progress with fewer. */
const stepsBetween = 10

/**
 * Begins the work and interrupts it where it gives way, as a client does that hangs up: at each of its first `turns` times that it gives way,
 * and with these at every step. `then` follows after each.
 */
export const interruptedAnywhere = <A, E, R>(
  turns: number,
  begin: (at: number) => Effect.Effect<unknown, unknown, R>,
  then: (at: number) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    for (let at = 0; at < turns * (stepsBetween + 1); at++) {
      const before = Effect.forEach(Array.from({ length: at % (stepsBetween + 1) }), () => Effect.void)
      const work = Effect.zipRight(before, begin(at))
      const fiber = yield* Effect.fork(Effect.withMaxOpsBeforeYield(work, stepsBetween))
      yield* Effect.repeatN(Effect.yieldNow(), Math.floor(at / (stepsBetween + 1)))
      yield* Fiber.interrupt(fiber)
      yield* then(at)
    }
  })
