import type { Effect } from "effect"
import { Context } from "effect"
import type { ContextFacts, ContextSightings } from "../../domain/experiments/ContextFacts.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** The context properties that games have sent with their units. Removing an environment removes them. */
export class ContextPropertyRepo extends Context.Tag("ports/game/ContextPropertyRepo")<
  ContextPropertyRepo,
  {
    /** By name, ascending (UTF-16 code units). */
    readonly list: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<ContextFacts>>
    /**
     * Adds what was seen to what is known, all of it or nothing, whatever others add meanwhile; nothing where the environment has been
     * removed. The event loop takes turns meanwhile.
     */
    readonly add: (environmentId: EnvironmentId, sightings: ContextSightings) => Effect.Effect<void>
    /** Stores facts, overwriting those of the same names; nothing where the environment has been removed meanwhile. */
    readonly put: (environmentId: EnvironmentId, facts: ReadonlyArray<ContextFacts>) => Effect.Effect<void>
  }
>() {}
