import { Effect } from "effect"
import { AccessVersion } from "../../ports/access/AccessVersion.ts"

/** How long the answer to the same question with the same key stays the same, as far as anybody can know. */
export interface Standing {
  /** Epoch milliseconds from which it has to be asked anew. */
  readonly until: number
  /** Whether what it says has not changed since. */
  readonly isCurrent: () => boolean
}

/** Tells whether what was found out earlier is still true, without looking anything up. */
export class Freshness extends Effect.Service<Freshness>()("services/game/Freshness", {
  effect: Effect.gen(function* () {
    const version = yield* AccessVersion
    const clock = yield* Effect.clock

    /** To be taken before a key is looked at: while it stays the same, so does what the key may do. */
    const mark = version.current

    const holds = (mark: number, { until, isCurrent }: Standing): boolean =>
      version.current() === mark && isCurrent() && clock.unsafeCurrentTimeMillis() < until

    return { mark, holds } as const
  })
}) {}
