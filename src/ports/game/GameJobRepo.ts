import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Audience } from "../../domain/configuration/Links.ts"
import type { GameJob } from "../../domain/game/GameJob.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

export interface JobOutcome {
  readonly id: number
  readonly status: string
  /** JSON. */
  readonly result: string | null
}

/** One job of each audience of an environment, the latest. Jobs go with their environment. */
export class GameJobRepo extends Context.Tag("ports/game/GameJobRepo")<
  GameJobRepo,
  {
    readonly find: (environmentId: EnvironmentId, audience: Audience) => Effect.Effect<Option.Option<GameJob>>
    /** Puts a new job in the place of the one before. */
    readonly queue: (
      environmentId: EnvironmentId,
      audience: Audience,
      digest: string,
      queuedAt: number
    ) => Effect.Effect<GameJob>
    /** Ids that no job of the environment has any more are passed over, here and below. */
    readonly start: (environmentId: EnvironmentId, ids: ReadonlyArray<number>, at: number) => Effect.Effect<void>
    readonly complete: (
      environmentId: EnvironmentId,
      outcomes: ReadonlyArray<JobOutcome>,
      at: number
    ) => Effect.Effect<void>
  }
>() {}
