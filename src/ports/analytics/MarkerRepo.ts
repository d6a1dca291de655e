import type { Effect } from "effect"
import { Context } from "effect"
import type { MarkerMetadata } from "../../domain/analytics/markers/MarkerMetadata.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** What people say of marker types and arguments; what was seen of them is in the event store. */
export class MarkerRepo extends Context.Tag("ports/analytics/MarkerRepo")<
  MarkerRepo,
  {
    /** Everything said in the environment, in no order. */
    readonly metadata: (environmentId: EnvironmentId) => Effect.Effect<MarkerMetadata>
    /** Replaces what is said of each type and argument given, and leaves the others. Names stand in it once. */
    readonly put: (environmentId: EnvironmentId, metadata: MarkerMetadata) => Effect.Effect<void>
  }
>() {}
