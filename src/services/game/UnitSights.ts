import { Clock, Effect } from "effect"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import { isNewUser, type UnitSight } from "../../domain/experiments/UnitSight.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { LruCache, mebibyte, textBytes } from "../../domain/LruCache.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { UnitSightRepo } from "../../ports/game/UnitSightRepo.ts"
import { type ErasedTest, ErasedUnits } from "../operations/ErasedUnits.ts"
import { makeWriteBehind } from "../WriteBehind.ts"

interface Place {
  readonly environmentId: EnvironmentId
  readonly unitType: UnitType
}

/** A sight that waits to be written, and how many erasures there were in its environment as it was noted. */
interface Noted extends UnitSight {
  readonly erasures: number
}

/** A first sight in memory. */
interface Kept {
  /** When the unit was seen, in epoch milliseconds. */
  readonly seenAt: number
  /** Whether its markers were asked for, so that nothing is earlier. */
  readonly isFirst: boolean
  /** How many erasures there were in its environment when it was last known to be of nobody erased. */
  readonly erasures: number
}

/** Bytes of a first sight in memory. */
const keptBytes = 64

/** Units that a game asks about. */
interface Seen {
  readonly place: Place
  readonly distinctIds: ReadonlyArray<string>
}

/** Questions to the event store under way at once for one request. */
const concurrency = 4

const keyOf = ({ environmentId, unitType }: Place, distinctId: string): string =>
  `${environmentId} ${unitType} ${distinctId}`

/** When this server first saw units: asked of experiments for new users, and noted of every unit that a game asks about. */
export class UnitSights extends Effect.Service<UnitSights>()("services/game/UnitSights", {
  scoped: Effect.gen(function* () {
    const events = yield* EventStore
    const repo = yield* UnitSightRepo
    const erased = yield* ErasedUnits
    const known = new LruCache<Kept>(8 * mebibyte, () => keptBytes)

    /** Forgets what is kept of these units where their players were erased since, maybe by another process. */
    const forgetErased = Effect.fnUntraced(function* (place: Place, distinctIds: ReadonlyArray<string>) {
      const { environmentId } = place
      const erasures = erased.erasures(environmentId)
      const older = distinctIds.flatMap((distinctId) => {
        const kept = known.get(keyOf(place, distinctId))
        return kept === undefined || kept.erasures === erasures ? [] : [{ distinctId, kept }]
      })
      const isErased = older.length === 0 ? undefined : yield* erased.testFor(environmentId)
      for (const { distinctId, kept } of older) {
        if (isErased?.(distinctId, kept.seenAt) === true) known.delete(keyOf(place, distinctId))
        else known.set(keyOf(place, distinctId), { ...kept, erasures })
      }
    })

    /** Whether anything that is kept of the units may be of a player who was erased: an environment of which none was costs nothing. */
    const mayBeErased = ({ environmentId, unitType }: Place): boolean =>
      unitType === "user" && erased.erasures(environmentId) > 0

    /** Those whose players were erased, maybe by another process, since the sight was noted. Nothing of them is kept in memory. */
    const takeOvertaken = Effect.fnUntraced(function* (all: ReadonlyArray<Noted>) {
      const overtaken = new Set<Noted>()
      let last: Noted | undefined
      let isErased: ErasedTest | undefined
      for (const sight of all) {
        const { environmentId, unitType, distinctId, firstSeenAt, erasures } = sight
        if (unitType !== "user") continue
        // Asked once for those that follow one another, not for each: that would cost more than all else that is done here.
        if (last?.environmentId !== environmentId || last.erasures !== erasures)
          isErased = yield* erased.testSince(environmentId, erasures)
        last = sight
        if (isErased?.(distinctId, firstSeenAt) !== true) continue
        known.delete(keyOf(sight, distinctId))
        overtaken.add(sight)
      }
      return overtaken
    })

    /**
     * Writes sights but those of players who were erased while they waited. Of a player who is erased during the write, the erasure may have
     * found nothing to remove, so the sight is removed again.
     */
    const write = Effect.fnUntraced(function* (all: ReadonlyArray<Noted>) {
      const overtaken = yield* takeOvertaken(all)
      const present = all.filter((sight) => !overtaken.has(sight))
      yield* repo.record(present.map(({ erasures: _, ...sight }) => sight))
      for (const { environmentId, distinctId } of yield* takeOvertaken(present))
        yield* repo.eraseUnit(environmentId, distinctId)
    })

    const buffer = yield* makeWriteBehind<Noted>({
      name: "First sights of units",
      batchSize: 1000,
      gatherFor: "1 second",
      maxItems: 200_000,
      maxBytes: 64 * mebibyte,
      bytesOf: ({ distinctId }) => 200 + textBytes(distinctId),
      merge: (older, newer) => (older.firstSeenAt <= newer.firstSeenAt ? older : newer),
      write
    })

    const noteAll = (sights: ReadonlyArray<Noted>) =>
      buffer.putAll(
        sights,
        (sight) => keyOf(sight, sight.distinctId),
        (sight, waiting) => (waiting === undefined || sight.firstSeenAt < waiting.firstSeenAt ? sight : waiting)
      )

    /** Notes that units were seen now, unless they were before. Returns at once. */
    const saw = Effect.fnUntraced(function* (seen: ReadonlyArray<Seen>) {
      const firstSeenAt = yield* Clock.currentTimeMillis
      const fresh: Array<Noted> = []
      for (const { place, distinctIds } of seen) {
        const { environmentId, unitType } = place
        if (mayBeErased(place)) yield* forgetErased(place, distinctIds)
        const erasures = erased.erasures(environmentId)
        for (const distinctId of distinctIds)
          if (known.get(keyOf(place, distinctId)) === undefined)
            fresh.push({ environmentId, unitType, distinctId, firstSeenAt, erasures })
      }
      for (const sight of yield* noteAll(fresh)) {
        const { distinctId, firstSeenAt: seenAt, erasures } = sight
        known.set(keyOf(sight, distinctId), { seenAt, isFirst: false, erasures })
      }
    })

    /** The first marker of a player, `otherwise` without one; null where the event store cannot tell now. */
    const firstMarker = (environmentId: EnvironmentId, unitId: string, otherwise: number) =>
      events.ask<"unit">(environmentId, { kind: "unit", plan: { unitId } }).pipe(
        Effect.map(({ answer }) => answer?.firstSeenAt ?? otherwise),
        Effect.catchAll((reason) =>
          Effect.as(Effect.logWarning("When a player was first seen could not be read", reason), null)
        )
      )

    /**
     * When the unit was first seen; null where the event store cannot tell now. `earliest` is what is known of that, Infinity for
     * nothing. Its first marker may be earlier still, so the event store is asked, but only of a player whom `earliest` would make new.
     */
    const sightOf = Effect.fnUntraced(function* (place: Place, distinctId: string, earliest: number) {
      const now = yield* Clock.currentTimeMillis
      const noted = Math.min(now, earliest)
      if (place.unitType !== "user" || !isNewUser(noted, -Infinity, now)) return noted
      const marker = yield* firstMarker(place.environmentId, distinctId, noted)
      return marker === null ? null : Math.min(noted, marker)
    })

    /**
     * When each unit was first seen, in epoch milliseconds, this moment included. Units are left out of the answer while the event
     * store is overloaded; their game asks again.
     */
    const firstSeen = Effect.fnUntraced(function* (place: Place, distinctIds: ReadonlyArray<string>) {
      const found = new Map<string, number>()
      const asked: Array<string> = []
      if (mayBeErased(place)) yield* forgetErased(place, distinctIds)
      for (const id of distinctIds) {
        const kept = known.get(keyOf(place, id))
        if (kept?.isFirst === true) found.set(id, kept.seenAt)
        else asked.push(id)
      }
      const erasures = erased.erasures(place.environmentId)
      if (asked.length === 0) return found
      const isErased = mayBeErased(place) ? yield* erased.testFor(place.environmentId) : undefined
      /** An erasure that is under way may not have removed everything yet. */
      const present = (id: string, seenAt: number | undefined) =>
        seenAt === undefined || isErased?.(id, seenAt) === true ? Infinity : seenAt
      // Taken before the store is read: a sight that is written meanwhile would otherwise be in neither.
      const waiting = new Map(
        asked.map((id) => [id, present(id, buffer.waiting(keyOf(place, id))?.firstSeenAt)] as const)
      )
      const stored = yield* repo.firstSeen(place.environmentId, place.unitType, asked)
      const look = Effect.fnUntraced(function* (id: string) {
        const earliest = Math.min(present(id, stored.get(id)), waiting.get(id) ?? Infinity)
        const sight = yield* sightOf(place, id, earliest)
        if (sight === null) return
        found.set(id, sight)
        if (isErased?.(id, sight) === true) return
        if (sight !== stored.get(id)) yield* noteAll([{ ...place, distinctId: id, firstSeenAt: sight, erasures }])
        known.set(keyOf(place, id), { seenAt: sight, isFirst: true, erasures })
      })
      yield* Effect.forEach(asked, look, { concurrency, discard: true })
      return found
    })

    /** Forgets a player, also where the note of it is not written yet. */
    const forget = Effect.fnUntraced(function* (environmentId: EnvironmentId, distinctId: string) {
      known.delete(keyOf({ environmentId, unitType: "user" }, distinctId))
      yield* buffer.forget(
        (sight) => sight.environmentId === environmentId && sight.unitType === "user" && sight.distinctId === distinctId
      )
      yield* repo.eraseUnit(environmentId, distinctId)
    })

    return { saw, firstSeen, forget } as const
  })
}) {}
