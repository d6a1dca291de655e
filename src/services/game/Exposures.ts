import { Clock, Effect } from "effect"
import { groupBy } from "../../domain/analytics/filter/Grouping.ts"
import { exposureType } from "../../domain/analytics/filter/Memberships.ts"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import type { Exposure } from "../../domain/experiments/Exposure.ts"
import { exposureText } from "../../domain/experiments/ExposureMarker.ts"
import { minuteMillis } from "../../domain/Durations.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { markerIdOfDigits } from "../../domain/ingest/MarkerId.ts"
import { ExposureRepo } from "../../ports/experiments/ExposureRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { LiveFeed } from "../live/LiveFeed.ts"
import { ErasedUnits } from "../operations/ErasedUnits.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { whole } from "../Whole.ts"
import { makeWriteBehind } from "../WriteBehind.ts"

/** Estimated memory of what waits of a unit, without the unit's id and all exposures but the first. */
const fixedBytes = 600

/** Estimated memory of each further exposure of a unit. */
const furtherBytes = 200

/** An exposure whose marker is to be stored, and whether it was noted as its unit was enrolled: then nothing else is left to record. */
export interface FirstExposure {
  readonly exposure: Exposure
  readonly isNoted: boolean
  /** Called once the exposure is stored; never where it waited already, or is dropped. */
  readonly onStored?: () => void
}

/** What waits together: one exposure, or those with which a unit was enrolled, which nobody else has. */
interface Waiting {
  readonly key: string
  readonly exposures: [Exposure, ...Array<Exposure>]
  readonly isNoted: boolean
  readonly onStored: (() => void) | undefined
}

const keyOf = ({ environmentId, experimentId, groupId, distinctId }: Exposure, isNoted: boolean) =>
  `${isNoted ? "noted " : ""}${environmentId}\n${experimentId}\n${groupId}\n${distinctId}`

/** Noted exposures of a unit that follow one another wait together: a waiting room is asked once for a unit, not for each of its experiments. */
const gathered = (all: ReadonlyArray<FirstExposure>): ReadonlyArray<Waiting> => {
  const found: Array<Waiting> = []
  for (const { exposure, isNoted, onStored } of all) {
    const last = found.at(-1)
    const [one] = last?.exposures ?? []
    if (
      isNoted &&
      last?.isNoted === true &&
      one?.distinctId === exposure.distinctId &&
      one.environmentId === exposure.environmentId &&
      onStored === undefined
    )
      last.exposures.push(exposure)
    else found.push({ key: keyOf(exposure, isNoted), exposures: [exposure], isNoted, onStored })
  }
  return found
}

/** An exposure that has no marker after so many milliseconds was recorded by a process that was killed. */
const leftAfter = 5 * minuteMillis

/** Exposures whose markers are written together. */
const batchSize = 500

/**
 * Writes first exposures many at a time, so that an answer does not wait for the store. `WriteBehind` says what it promises;
 * the unit of an exposure that was dropped is exposed again when it comes back. Whichever process records an exposure stores its marker.
 */
export class Exposures extends Effect.Service<Exposures>()("services/game/Exposures", {
  scoped: Effect.gen(function* () {
    const repo = yield* ExposureRepo
    const secrets = yield* Secrets
    const store = yield* EventStore
    const turns = yield* Turns
    const live = yield* LiveFeed
    const erased = yield* ErasedUnits
    const turn = yield* Effect.makeSemaphore(1)
    /** Exposures whose markers this process has stored, of which the repository is told when there are many. */
    let marked: ReadonlyArray<Exposure> = []

    /** The same unit in the same group makes the same marker, so that it is stored once however often it is tried. */
    const markerOf = (exposure: Exposure, receivedAt: number): Event => {
      const { experimentId, groupId, distinctId, at, unitType } = exposure
      return {
        markerId: markerIdOfDigits(secrets.fingerprintDigits(exposureText(exposure))),
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

    /** Leaves out units that were erased after they were exposed: their requests were under way. */
    const append = Effect.fnUntraced(function* (environmentId: EnvironmentId, exposures: ReadonlyArray<Exposure>) {
      const now = yield* Clock.currentTimeMillis
      const erasures = erased.erasures(environmentId)
      const dated = ({ distinctId, at }: Exposure) => ({ unitId: distinctId, timestamp: at })
      const present = yield* erased.present(environmentId, exposures, dated)
      const events = present.map((each) => markerOf(each, now))
      live.stored(environmentId, events, yield* store.append(environmentId, now, events))
      yield* erased.removeOvertaken(environmentId, erasures, events)
    })

    const mark = (exposures: ReadonlyArray<Exposure>) =>
      Effect.forEach(
        groupBy(exposures, ({ environmentId }) => environmentId),
        ([environmentId, own]) => append(environmentId, own),
        { discard: true }
      )

    const write = Effect.fnUntraced(function* (all: ReadonlyArray<Waiting>, toldAt: number) {
      const told = marked.length < toldAt ? [] : marked
      const [others, noted]: [Array<Exposure>, Array<Exposure>] = [[], []]
      for (const { exposures, isNoted } of all) for (const each of exposures) (isNoted ? noted : others).push(each)
      const recorded = others.length === 0 && told.length === 0 ? [] : yield* repo.record(others, told)
      if (told.length > 0) marked = []
      const unmarked = noted.length === 0 ? recorded : [...recorded, ...(yield* repo.noted(noted))]
      yield* mark(unmarked)
      marked = marked.concat(unmarked)
      for (const { onStored } of all) onStored?.()
    }, whole)

    /** Tells the repository of the last markers. */
    const conclude = Effect.suspend(() => (marked.length === 0 ? Effect.void : write([], 0)))

    yield* Effect.addFinalizer(() =>
      Effect.catchAllCause(conclude, (cause) =>
        Effect.logWarning("Exposures: markers that are stored will be written again", cause)
      )
    )

    const buffer = yield* makeWriteBehind({
      name: "Exposures",
      batchSize,
      sizeOf: ({ exposures }) => exposures.length,
      gatherFor: "100 millis",
      maxItems: 200_000,
      maxBytes: 128 * 2 ** 20,
      bytesOf: ({ exposures }) =>
        fixedBytes + 4 * exposures[0].distinctId.length + furtherBytes * (exposures.length - 1),
      merge: (older) => older,
      write: (exposures: ReadonlyArray<Waiting>) => turn.withPermits(1)(write(exposures, batchSize))
    })

    /** Returns at once. */
    const record = (exposures: ReadonlyArray<FirstExposure>) =>
      Effect.suspend(() => {
        const others = gathered(exposures).filter(({ key }) => !buffer.holds(key))
        return Effect.asVoid(
          buffer.putAll(
            others,
            ({ key }) => key,
            (each, waiting) => waiting ?? each
          )
        )
      })

    const isOf =
      (environmentId: EnvironmentId, distinctId: string) =>
      ({ exposures: [exposure] }: Waiting) =>
        exposure.environmentId === environmentId && exposure.distinctId === distinctId

    /** Drops what waits of a unit, and what is noted of it. */
    const forget = Effect.fnUntraced(function* (environmentId: EnvironmentId, distinctId: string) {
      yield* buffer.forget(isOf(environmentId, distinctId))
      yield* repo.eraseUnit(environmentId, distinctId)
    })

    /** Stores the markers of what a process has recorded that was killed. The same marker is stored once. */
    const markLeft = Effect.fnUntraced(function* () {
      const before = (yield* Clock.currentTimeMillis) - leftAfter
      for (let isMore = true; isMore;) {
        const left = yield* repo.unmarked(before, batchSize)
        yield* mark(left)
        yield* repo.record([], left)
        isMore = left.length === batchSize
      }
    }, whole)

    /** Looks for exposures whose markers are missing, unless another process does so. */
    const sweep = Effect.fnUntraced(function* () {
      yield* turn.withPermits(1)(conclude)
      yield* turns.once("exposures", markLeft())
    })

    return { record, flush: buffer.flush, forget, sweep } as const
  })
}) {}
