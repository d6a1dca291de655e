import { Clock, Effect, Option, Schema } from "effect"
import { Json } from "../../../schema/Json.ts"
import type {
  CompletedRequests,
  GameRequest as Job,
  Nothing,
  StartedRequests
} from "../../../schema/game/LegacyRecords.ts"
import type { Audience } from "../../domain/configuration/Links.ts"
import { type GameJob, isWaiting } from "../../domain/game/GameJob.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { GameJobRepo } from "../../ports/game/GameJobRepo.ts"
import type { GameRequest } from "./GameAccess.ts"
import { GameAccess } from "./GameAccess.ts"
import { orWithoutSpace } from "../WithoutSpace.ts"
import { LegacyDelivery } from "./LegacyDelivery.ts"

const nothing: Nothing = {}

/** The jobs that tell older game servers that a configuration or an experiment has changed. */
export class GameJobs extends Effect.Service<GameJobs>()("services/game/GameJobs", {
  effect: Effect.gen(function* () {
    const access = yield* GameAccess
    const legacy = yield* LegacyDelivery
    const jobs = yield* GameJobRepo

    /** The job of the digest. Where two ask at a time, one of them queues it and the other finds it. */
    const jobOf = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      audience: Audience,
      digest: string,
      now: number
    ) {
      const latest = yield* jobs.find(environmentId, audience)
      if (Option.isSome(latest) && latest.value.digest === digest) return latest
      const queued = yield* orWithoutSpace(
        jobs.queueUnlessSame(environmentId, audience, digest, now),
        Option.none<GameJob>()
      )
      if (Option.isSome(queued)) return queued
      return Option.filter(yield* jobs.find(environmentId, audience), (job) => job.digest === digest)
    })

    /** The job that delivers the present content, until the game server reports that it has arrived. On a full disk a new one waits for space. */
    const list = Effect.fnUntraced(function* (request: GameRequest) {
      const snapshot = yield* legacy.current(request)
      const { environmentId, audience, now } = snapshot
      const digest = legacy.digestOf(snapshot)
      const job = yield* jobOf(environmentId, audience, digest, now)
      if (Option.isNone(job) || !isWaiting(job.value, now)) return []
      const update = {
        requestId: job.value.id,
        requestType: "UpdateConfigs",
        args: yield* Effect.orDie(Schema.decodeUnknown(Json)(legacy.argumentsOf(snapshot))),
        details: { hostOnly: false, async: false },
        constraints: {}
      } satisfies Job
      return [update]
    })

    const start = Effect.fnUntraced(function* (request: GameRequest, ids: StartedRequests) {
      const { id } = yield* access.environment("sdk:read", request)
      yield* jobs.start(id, yield* access.audience, ids.map(Number), yield* Clock.currentTimeMillis)
      return nothing
    })

    const complete = Effect.fnUntraced(function* (request: GameRequest, completed: CompletedRequests) {
      const { id } = yield* access.environment("sdk:read", request)
      const outcomes = completed.map(({ requestId, status, result }) => ({
        id: Number(requestId),
        status: String(status),
        result: result === undefined ? null : JSON.stringify(result)
      }))
      yield* jobs.complete(id, yield* access.audience, outcomes, yield* Clock.currentTimeMillis)
      return nothing
    })

    return { list, start, complete } as const
  })
}) {}
