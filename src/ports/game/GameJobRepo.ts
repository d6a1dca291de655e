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
    /**
     * Marks the job as started (epoch ms) where it is among these. Here and below, ids of other jobs than that of the audience are ignored:
     * players, who all have the public key, end no job of the game's own servers.
     */
    readonly start: (
      environmentId: EnvironmentId,
      audience: Audience,
      ids: ReadonlyArray<number>,
      at: number
    ) => Effect.Effect<void>
    /** Marks the job as completed (epoch ms) with its outcome. */
    readonly complete: (
      environmentId: EnvironmentId,
      audience: Audience,
      outcomes: ReadonlyArray<JobOutcome>,
      at: number
    ) => Effect.Effect<void>
  }
>() {}
