import { Context, Effect, Ref } from "effect"

/**
 * What it means to stop this process now, for whoever stops it, such as `no backup was made`; null where that is how the work ends, as with
 * a server.
 */
export class MeaningOfStop extends Context.Reference<MeaningOfStop>()("ports/operations/MeaningOfStop", {
  defaultValue: () => Ref.unsafeMake<string | null>(null)
}) {}

/** From here on, stopping the process means this. */
export const ifStopped = (meaning: string | null) => Effect.flatMap(MeaningOfStop, (ref) => Ref.set(ref, meaning))
