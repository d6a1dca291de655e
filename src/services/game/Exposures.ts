import { Clock, Effect } from "effect"
import { exposureType } from "../../domain/analytics/filter/Memberships.ts"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"
import { markerIdOf } from "../../domain/ingest/MarkerId.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Secrets } from "../../ports/access/Secrets.ts"

export interface Exposure {
  readonly environmentId: EnvironmentId
  readonly experimentId: ExperimentId
  readonly groupId: ExperimentGroupId
  readonly unitType: UnitType
  readonly distinctId: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Exposures written together. */
const batch = 500

/** Exposures that may wait while none can be written; their units are exposed again when they come back. */
const capacity = 200_000

/** Records first exposures behind the answers' backs, many at a time. */
export class Exposures extends Effect.Service<Exposures>()("services/game/Exposures", {
  scoped: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const secrets = yield* Secrets
    const scope = yield* Effect.scope
    const store = yield* EventStore
    const turn = yield* Effect.makeSemaphore(1)
    const queues = new Map<EnvironmentId, Map<string, Exposure>>()
    let waiting = 0
    let isPlanned = false

    const keyOf = ({ experimentId, groupId, distinctId }: Exposure) => `${experimentId}\n${groupId}\n${distinctId}`

    /** The same unit in the same group makes the same marker, so that it is stored once however often it is tried. */
    const markerOf = (exposure: Exposure, receivedAt: number): Event => {
      const { experimentId, groupId, distinctId, at, unitType } = exposure
      return {
        markerId: markerIdOf(secrets.fingerprint(`${exposureType}\n${keyOf(exposure)}\n${at}`), 0),
        type: exposureType,
        unitId: distinctId,
        sessionId: null,
        serverId: null,
        timestamp: at,
        receivedAt,
        clamped: false,
        arguments: { experimentId, groupId, unitType },
        properties: {},
        position: null
      }
    }

    const write = Effect.fnUntraced(function* (environmentId: EnvironmentId, exposures: ReadonlyArray<Exposure>) {
      const now = yield* Clock.currentTimeMillis
      yield* store.append(
        environmentId,
        now,
        exposures.map((each) => markerOf(each, now))
      )
      yield* assignments.expose(exposures)
    })

    const firstOf = (queue: ReadonlyMap<string, Exposure>): ReadonlyArray<readonly [string, Exposure]> => {
      const part: Array<readonly [string, Exposure]> = []
      for (const entry of queue) {
        if (part.length === batch) break
        part.push(entry)
      }
      return part
    }

    const forgetAll = (queue: Map<string, Exposure>, part: ReadonlyArray<readonly [string, Exposure]>) => {
      for (const [key] of part) if (queue.delete(key)) waiting--
    }

    const writeSome = Effect.suspend(() => {
      for (const [environmentId, queue] of queues) {
        const part = firstOf(queue)
        if (part.length === 0) queues.delete(environmentId)
        else
          return Effect.zipRight(
            write(
              environmentId,
              part.map(([, exposure]) => exposure)
            ),
            Effect.sync(() => forgetAll(queue, part))
          )
      }
      return Effect.void
    })

    /** Writes every exposure that waits. */
    const flush = turn.withPermits(1)(
      Effect.whileLoop({ while: () => waiting > 0, body: () => writeSome, step: () => undefined })
    )

    const flushLater: Effect.Effect<void> = Effect.sleep("20 millis").pipe(
      Effect.zipRight(flush),
      Effect.catchAllCause((cause) =>
        Effect.zipRight(Effect.logError("Exposures could not be written yet", cause), Effect.sleep("1 second"))
      ),
      Effect.repeat({ while: () => waiting > 0 }),
      Effect.ensuring(
        Effect.sync(() => {
          isPlanned = false
        })
      ),
      Effect.asVoid
    )

    const queueOf = (environmentId: EnvironmentId): Map<string, Exposure> => {
      const queue = queues.get(environmentId) ?? new Map<string, Exposure>()
      queues.set(environmentId, queue)
      return queue
    }

    /** Returns at once. */
    const record = Effect.fnUntraced(function* (exposures: ReadonlyArray<Exposure>) {
      for (const each of exposures) {
        const queue = queueOf(each.environmentId)
        const key = keyOf(each)
        if (waiting >= capacity || queue.has(key)) continue
        queue.set(key, each)
        waiting++
      }
      if (isPlanned || waiting === 0) return
      isPlanned = true
      yield* Effect.forkIn(flushLater, scope)
    })

    /** What waits of a unit is not written. */
    const forget = Effect.fn("Exposures.forget")((environmentId: EnvironmentId, distinctId: string) =>
      Effect.sync(() => {
        const queue = queueOf(environmentId)
        forgetAll(
          queue,
          [...queue].filter(([, each]) => each.distinctId === distinctId)
        )
      })
    )

    yield* Effect.addFinalizer(() => Effect.ignore(flush))
    return { record, flush, forget } as const
  })
}) {}
