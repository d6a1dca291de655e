import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Audience } from "../../domain/configuration/Links.ts"
import type { GameJob } from "../../domain/game/GameJob.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** How a game server says that a job of that id ended. */
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
    /** Replaces the audience's job by a new one (`queuedAt` in epoch ms) and answers it; none, and nothing changes, where the present job has this digest. */
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
