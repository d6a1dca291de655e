import { Effect, Layer } from "effect"
import { cachedSuccess } from "../services/CachedSuccess.ts"
import { Erasures } from "../services/operations/Erasures.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Finishes erasures that were cut off: those of an earlier process at once, those that failed in this one a minute later. */
export const ErasuresJob = Layer.scopedDiscard(
  Effect.gen(function* () {
    const erasures = yield* Erasures
    const scrubbed = yield* cachedSuccess(erasures.scrub)
    const round = Effect.zipRight(scrubbed, erasures.resume())
    const timing = { first: 0, interval: "1 minute" } as const
    yield* repeatAtIntervals("The rest of erasures", timing, round, ({ message }) => message)
  })
)
