import { Effect, Layer } from "effect"
import { Removals } from "../services/operations/Removals.ts"
import { repeatInBackground } from "./BackgroundLoop.ts"

/** Deletes the rows that removed records leave, those that an earlier process left first, for as long as the layer lives. */
export const RemovalsJob = Layer.scopedDiscard(
  Effect.gen(function* () {
    const removals = yield* Removals
    yield* repeatInBackground("The deletion of what was removed", Effect.zipRight(removals.run(), removals.requested))
  })
)
