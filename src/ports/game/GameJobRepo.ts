import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Audience } from "../../domain/configuration/Links.ts"
import type { GameJob } from "../../domain/game/GameJob.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

export interface JobOutcome {
  readonly id: number
  readonly status: string
  /** JSON text. */
  readonly result: string | null
}

/** The latest job of each audience of an environment. Removing an environment removes its jobs. */
export class GameJobRepo extends Context.Tag("ports/game/GameJobRepo")<
  GameJobRepo,
  {
    readonly find: (environmentId: EnvironmentId, audience: Audience) => Effect.Effect<Option.Option<GameJob>>
    /** Replaces the audience's job by a new one, unless it has this digest. Answers the new one; none where it has. */
    readonly queueUnlessSame: (
      environmentId: EnvironmentId,
      audience: Audience,
      digest: string,
      queuedAt: number
    ) => Effect.Effect<Option.Option<GameJob>>
    /** Marks jobs as started (epoch ms). Here and below, ids without a job in the environment are ignored. */
    readonly start: (environmentId: EnvironmentId, ids: ReadonlyArray<number>, at: number) => Effect.Effect<void>
    /** Marks jobs as completed (epoch ms) with their outcomes. */
    readonly complete: (
      environmentId: EnvironmentId,
      outcomes: ReadonlyArray<JobOutcome>,
      at: number
    ) => Effect.Effect<void>
  }
>() {}
