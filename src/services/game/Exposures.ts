import { Array, Clock, Effect } from "effect"
import { exposureType } from "../../domain/analytics/filter/Memberships.ts"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import { exposureText } from "../../domain/experiments/ExposureMarker.ts"
import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"
import { markerIdOf } from "../../domain/ingest/MarkerId.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { LiveFeed } from "../live/LiveFeed.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { whole } from "../Whole.ts"
import { makeWriteBehind } from "../WriteBehind.ts"

export interface Exposure {
  readonly environmentId: EnvironmentId
  readonly experimentId: ExperimentId
  readonly groupId: ExperimentGroupId
  readonly unitType: UnitType
  readonly distinctId: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Estimated memory of an exposure without its unit id. */
const fixedBytes = 400

const keyOf = ({ environmentId, experimentId, groupId, distinctId }: Exposure) =>
  `${environmentId}\n${experimentId}\n${groupId}\n${distinctId}`

/**
 * Writes first exposures many at a time, so that an answer does not wait for the store. `WriteBehind` says what it promises;
 * the unit of an exposure that was dropped is exposed again when it comes back.
 */
export class Exposures extends Effect.Service<Exposures>()("services/game/Exposures", {
  scoped: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const secrets = yield* Secrets
    const store = yield* EventStore
    const live = yield* LiveFeed

    /** The same unit in the same group makes the same marker, so that it is stored once however often it is tried. */
    const markerOf = (exposure: Exposure, receivedAt: number): Event => {
      const { experimentId, groupId, distinctId, at, unitType } = exposure
      return {
        markerId: markerIdOf(secrets.fingerprint(exposureText(exposure)), 0),
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

    const writeOf = Effect.fnUntraced(function* (environmentId: EnvironmentId, exposures: ReadonlyArray<Exposure>) {
      const now = yield* Clock.currentTimeMillis
      const events = exposures.map((each) => markerOf(each, now))
      live.stored(environmentId, events, yield* store.append(environmentId, now, events))
      yield* assignments.expose(exposures)
    }, whole)

    const write = (exposures: ReadonlyArray<Exposure>) =>
      Effect.forEach(
        Object.values(Array.groupBy(exposures, ({ environmentId }) => String(environmentId))),
        (group) => writeOf(group[0].environmentId, group),
        { discard: true }
      )

    const buffer = yield* makeWriteBehind({
      name: "Exposures",
      batchSize: 500,
      gatherFor: "20 millis",
      maxItems: 200_000,
      maxBytes: 128 * 2 ** 20,
      bytesOf: ({ distinctId }) => fixedBytes + 4 * distinctId.length,
      merge: (older) => older,
      write
    })

    /** Returns at once. */
    const record = Effect.fnUntraced(function* (exposures: ReadonlyArray<Exposure>) {
      for (const each of exposures) {
        const key = keyOf(each)
        if (!buffer.holds(key)) yield* buffer.put(key, () => each)
      }
    })

    /** Drops what waits of a unit. */
    const forget = Effect.fn("Exposures.forget")((environmentId: EnvironmentId, distinctId: string) =>
      buffer.forget((each) => each.environmentId === environmentId && each.distinctId === distinctId)
    )

    return { record, flush: buffer.flush, forget } as const
  })
}) {}
