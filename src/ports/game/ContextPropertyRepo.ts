import type { Effect } from "effect"
import { Context } from "effect"
import type { ContextFacts } from "../../domain/experiments/ContextFacts.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** What games have said of their units' contexts. It goes with its environment. */
export class ContextPropertyRepo extends Context.Tag("ports/game/ContextPropertyRepo")<
  ContextPropertyRepo,
  {
    /** By name, ascending by UTF-16 code units. */
    readonly list: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<ContextFacts>>
    /** Writes over what is kept of the same names. */
    readonly put: (environmentId: EnvironmentId, facts: ReadonlyArray<ContextFacts>) => Effect.Effect<void>
  }
>() {}
