import { Effect, Layer, Option } from "effect"
import type { Audience } from "../../../domain/configuration/Links.ts"
import type { GameJob } from "../../../domain/game/GameJob.ts"
import type { EnvironmentId } from "../../../domain/Ids.ts"
import { GameJobRepo } from "../../../ports/game/GameJobRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

interface PlacedJob extends GameJob {
  readonly environmentId: EnvironmentId
  readonly audience: Audience
}

const jobOf = ({ environmentId: _environment, audience: _audience, ...job }: PlacedJob): GameJob => job

export const GameJobRepoMemory = Layer.effect(
  GameJobRepo,
  Effect.map(MemoryDb, ({ access, gameJobs }) => {
    const isAt = (environmentId: EnvironmentId, audience: Audience) => (row: PlacedJob) =>
      row.environmentId === environmentId && row.audience === audience

    const change = (environmentId: EnvironmentId, audience: Audience, id: number, changes: Partial<GameJob>) => {
      const job = gameJobs.rows.find(isAt(environmentId, audience))
      if (job?.id === id) gameJobs.replace((each) => each === job, { ...job, ...changes })
    }

    return GameJobRepo.of({
      find: (environmentId, audience) =>
        access(() => Option.map(Option.fromNullable(gameJobs.rows.find(isAt(environmentId, audience))), jobOf)),
      queueUnlessSame: (environmentId, audience, digest, queuedAt) =>
        access(() => {
          if (gameJobs.rows.find(isAt(environmentId, audience))?.digest === digest) return Option.none()
          gameJobs.remove(isAt(environmentId, audience))
          const open = { startedAt: null, completedAt: null, status: null, result: null }
          const id = gameJobs.nextId()
          return Option.some(jobOf(gameJobs.insert({ id, environmentId, audience, digest, queuedAt, ...open })))
        }),
      start: (environmentId, audience, ids, startedAt) =>
        access(() => {
          for (const id of ids) change(environmentId, audience, id, { startedAt })
        }),
      complete: (environmentId, audience, outcomes, completedAt) =>
        access(() => {
          for (const { id, status, result } of outcomes)
            change(environmentId, audience, id, { completedAt, status, result })
        })
    })
  })
)
