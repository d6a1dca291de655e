import { Effect } from "effect"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { erasureText } from "../../domain/operations/ErasedUnit.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { ErasedUnitRepo } from "../../ports/operations/ErasedUnitRepo.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Secrets } from "../../ports/access/Secrets.ts"

/** Whether a marker of a unit, at an instant in epoch milliseconds, is of a time that was erased. */
export type ErasedTest = (unitId: string, timestamp: number) => boolean

/** A marker, or what becomes one: of whom, and of which instant (epoch ms). */
type Dated = Pick<Event, "unitId" | "timestamp">

/** Of one environment: by the fingerprint of each unit until when it was erased, and the latest of these, in epoch milliseconds. */
interface Erased {
  readonly units: Map<string, number>
  until: number
}

/** Remembers whose data were erased, so that what is sent of that time again is refused. */
export class ErasedUnits extends Effect.Service<ErasedUnits>()("services/operations/ErasedUnits", {
  scoped: Effect.gen(function* () {
    const repo = yield* ErasedUnitRepo
    const secrets = yield* Secrets
    const peers = yield* Peers
    const known = new Map<EnvironmentId, Erased>()
    /** What is heard of an environment while its stored units are read. */
    const loading = new Map<EnvironmentId, Erased>()
    const outdated = new Map<EnvironmentId, number>()
    const events = yield* EventStore
    const heard = new Map<EnvironmentId, number>()

    /** Changes with every erasure in the environment. */
    const erasures = (environmentId: EnvironmentId): number => heard.get(environmentId) ?? 0

    const fingerprintOf = (environmentId: EnvironmentId, unitId: string): string =>
      Buffer.from(secrets.fingerprint(erasureText(environmentId, unitId))).toString("base64url")

    const note = (erased: Erased, fingerprint: string, erasedAt: number): void => {
      erased.units.set(fingerprint, Math.max(erasedAt, erased.units.get(fingerprint) ?? 0))
      erased.until = Math.max(erased.until, erasedAt)
    }

    const erasedOf = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      const loaded = known.get(environmentId)
      if (loaded !== undefined) return loaded
      const erased = loading.get(environmentId) ?? { units: new Map(), until: -Infinity }
      loading.set(environmentId, erased)
      for (const { fingerprint, erasedAt } of yield* repo.list(environmentId)) note(erased, fingerprint, erasedAt)
      known.set(environmentId, erased)
      loading.delete(environmentId)
      return erased
    })

    yield* peers.hear((notice) => {
      if (notice.kind === "outdated") {
        outdated.set(notice.environmentId, (outdated.get(notice.environmentId) ?? 0) + 1)
      } else if (notice.kind === "erased") {
        heard.set(notice.environmentId, erasures(notice.environmentId) + 1)
        const erased = known.get(notice.environmentId) ?? loading.get(notice.environmentId)
        if (erased !== undefined) note(erased, notice.fingerprint, notice.erasedAt)
      }
    })

    const add = Effect.fnUntraced(function* (environmentId: EnvironmentId, unitId: string, erasedAt: number) {
      const fingerprint = fingerprintOf(environmentId, unitId)
      yield* repo.put(environmentId, fingerprint, erasedAt)
      yield* peers.tell({ kind: "erased", environmentId, fingerprint, erasedAt })
    })

    /** Good for one batch. Undefined where nobody was erased, which costs nothing. */
    const testFor = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      const { units } = yield* erasedOf(environmentId)
      if (units.size === 0) return undefined
      const ends = new Map<string, number>()
      const isErased: ErasedTest = (unitId, timestamp) => {
        const end = ends.get(unitId) ?? units.get(fingerprintOf(environmentId, unitId)) ?? -Infinity
        ends.set(unitId, end)
        return timestamp <= end
      }
      return isErased
    })

    /** The same where anything was erased in the environment since `erasures` was `before`; undefined where nothing was. */
    const testSince = Effect.fnUntraced(function* (environmentId: EnvironmentId, before: number) {
      return erasures(environmentId) === before ? undefined : yield* testFor(environmentId)
    })

    /** Those of which the time was not erased, `dated` being of whom and of when each is. */
    const present = Effect.fnUntraced(function* <A>(
      environmentId: EnvironmentId,
      all: ReadonlyArray<A>,
      dated: (each: A) => { readonly unitId: string; readonly timestamp: number }
    ) {
      const isErased = yield* testFor(environmentId)
      if (isErased === undefined) return all
      return all.filter((each) => {
        const { unitId, timestamp } = dated(each)
        return !isErased(unitId, timestamp)
      })
    })

    /**
     * To be called by whoever has stored markers, with what `erasures` was before it looked whose are refused: where one of their units
     * was erased meanwhile, maybe before they were there to be found, its markers are removed again.
     */
    const removeOvertaken = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      before: number,
      stored: ReadonlyArray<Dated>
    ) {
      const isErased = yield* testSince(environmentId, before)
      if (isErased === undefined) return
      const gone = new Set(
        stored.flatMap(({ unitId, timestamp }) => (unitId !== null && isErased(unitId, timestamp) ? [unitId] : []))
      )
      yield* Effect.forEach(gone, (unitId) => events.erase(environmentId, unitId), { discard: true })
    })

    /** The last instant of which anything was erased, in epoch milliseconds, `-Infinity` where nothing was; undefined while that is not known. */
    const until = (environmentId: EnvironmentId): number | undefined => known.get(environmentId)?.until

    /** Says that a unit's markers are gone: what was computed from markers before may still name it. */
    const outdate = (environmentId: EnvironmentId) => peers.tell({ kind: "outdated", environmentId })

    /** Changes with every `outdate` of the environment. */
    const outdates = (environmentId: EnvironmentId): number => outdated.get(environmentId) ?? 0

    return { add, erasures, testFor, testSince, present, removeOvertaken, until, outdate, outdates } as const
  })
}) {}
