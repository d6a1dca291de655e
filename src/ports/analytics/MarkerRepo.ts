import type { Effect } from "effect"
import { Context } from "effect"
import type { MarkerMetadata } from "../../domain/analytics/markers/MarkerMetadata.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** Descriptions that people give to marker types and arguments. What was observed of these is in the event store. */
export class MarkerRepo extends Context.Tag("ports/analytics/MarkerRepo")<
  MarkerRepo,
  {
    /** All descriptions of the environment, in no particular order. */
    readonly metadata: (environmentId: EnvironmentId) => Effect.Effect<MarkerMetadata>
    /** Replaces the descriptions of the given types and arguments and leaves all others. Each name must occur once. */
    readonly put: (environmentId: EnvironmentId, metadata: MarkerMetadata) => Effect.Effect<void>
  }
>() {}
