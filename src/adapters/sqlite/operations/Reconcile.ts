import { Clock, DateTime, Effect } from "effect"
import { type KnownErasure, planRepairs, type RepairPlan } from "../../../domain/operations/Reconciliation.ts"
import {
  erasedAgain,
  forgottenExposures,
  liftedCounters,
  lostMarkers,
  olderMetadata,
  reassignedUnits,
  recountedCohort,
  removedLeftover,
  type Repair,
  strangerSetAside,
  unerased,
  unreadExposures
} from "../../../domain/operations/Repair.ts"
import { ErasedUnitRepo } from "../../../ports/operations/ErasedUnitRepo.ts"
import { TrustedTimes } from "../../../ports/operations/TrustedTimes.ts"
import { EventFile } from "../analytics/EventFile.ts"
import { eventFacts, unitsWhere } from "../events/file/EventFacts.ts"
import { openForReading } from "../events/file/EventsDb.ts"
import type { Failed } from "../events/threads/WriterClient.ts"
import { fingerprintOf } from "./Fingerprint.ts"
import { eachExposure } from "./LostAssignments.ts"
import { MetadataRecords } from "./MetadataRecords.ts"
import { MetadataRepairs } from "./MetadataRepairs.ts"
import { RepairLog } from "./RepairLog.ts"
import { failed, readingOf } from "./StoreReading.ts"

/** An assignment's exposure is looked for this many milliseconds before the metadata's last note, since exposures may wait to be written. */
const exposureMargin = 600_000
/** Milliseconds that one question about an erased player may take. */
const budget = 600_000

const done = (begin: (done: (failure: Failed | null) => void) => void) =>
  Effect.async<void>((resume) => begin((failure) => resume(failure === null ? Effect.void : failed(failure))))

const byEnvironment = (erasures: ReadonlyArray<KnownErasure>): ReadonlyMap<number, ReadonlyArray<KnownErasure>> => {
  const all = new Map<number, Array<KnownErasure>>()
  for (const erasure of erasures) all.set(erasure.environmentId, [...(all.get(erasure.environmentId) ?? []), erasure])
  return all
}

/**
 * Compares both files, which may be copies of different times, and makes them agree before anything is served. Each step can be repeated,
 * so that a start that is cut off begins again.
 */
export const reconcile = Effect.fnUntraced(function* (file: string) {
  const events = yield* EventFile
  const records = yield* MetadataRecords
  const repairs = yield* MetadataRepairs
  const { scrub } = yield* ErasedUnitRepo
  const log = yield* RepairLog
  const times = yield* TrustedTimes
  const now = yield* Clock.currentTimeMillis
  const metadata = yield* records.facts
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => openForReading(file)),
    (opened) => Effect.sync(() => opened.close())
  )
  const facts = eventFacts(database)
  const plan = planRepairs(metadata, facts)
  const found: Array<Repair> = []

  /** Erases units from the event file whose data are older than their erasure; those who came back later stay. */
  const eraseFromEvents = Effect.fnUntraced(function* (environmentId: number, erasures: ReadonlyArray<KnownErasure>) {
    const ask = readingOf(events, { budget, organizationOf: () => Effect.succeed(undefined) })
    const byFingerprint = new Map(erasures.map((erasure) => [erasure.fingerprint, erasure]))
    let count = 0
    for (const unitId of unitsWhere(database, environmentId, (name) =>
      byFingerprint.has(fingerprintOf(environmentId, name))
    )) {
      const record = byFingerprint.get(fingerprintOf(environmentId, unitId))
      if (record === undefined) continue
      const { answer } = yield* ask<"unit">(environmentId, { kind: "unit", plan: { unitId } })
      if (answer !== null && answer.firstSeenAt > record.erasedAt) continue
      yield* done((resume) =>
        events.eraseUnit(
          environmentId,
          unitId,
          (outcome) => resume(outcome !== null && "_tag" in outcome ? outcome : null),
          record
        )
      )
      count++
    }
    yield* done((resume) => events.noteErasures(erasures, resume))
    if (count > 0) found.push(erasedAgain(environmentId, count, "events.sqlite"))
  })

  const eraseFromMetadata = Effect.fnUntraced(function* (environmentId: number, erasures: ReadonlyArray<KnownErasure>) {
    const count = yield* repairs.erase(environmentId, erasures)
    if (count > 0) found.push(erasedAgain(environmentId, count, "metadata.sqlite"))
    yield* scrub
  })

  const restoreAssignments = Effect.fnUntraced(function* () {
    const from = metadata.areAssignmentsLost ? 0 : metadata.notedAt - exposureMargin
    let count = 0
    for (const environmentId of metadata.environments)
      yield* eachExposure(events, environmentId, from, (exposures) =>
        Effect.map(repairs.reassign(exposures), (restored) => {
          count += restored
        })
      )
    if (count > 0) found.push(reassignedUnits(count))
    yield* records.forgetLostAssignments
  })

  const repairMetadata = Effect.fnUntraced(function* ({ lost, setAside, exposures, counters }: RepairPlan) {
    // What was erased and removed above is no longer among the members; where nothing was, the file need not be read again.
    const { cohorts } = found.length === 0 ? plan : planRepairs(metadata, eventFacts(database))
    for (const one of lost) found.push(lostMarkers(one, facts.environments.get(one.environmentId)?.newestReceipt ?? 0))
    if (counters.length > 0) found.push(liftedCounters(counters))
    yield* records.liftCounters(counters)
    for (const stranger of setAside) found.push(strangerSetAside(stranger))
    yield* records.setAside(setAside, now)
    for (const each of exposures) {
      const count = yield* repairs.forgetExposures(each)
      if (count > 0) found.push(forgottenExposures(each.environmentId, count))
    }
    for (const cohort of cohorts) found.push(recountedCohort(cohort))
    yield* repairs.recount(cohorts)
    if (plan.isMetadataOlder || plan.isEventsOlder || cohorts.length > 0)
      yield* repairs.makeCohortsDue(DateTime.unsafeMake(now))
  })

  /** A step that a damaged file does not allow is listed, and is tried again at the next start. */
  const orNoted = <E>(step: Effect.Effect<void, E>, otherwise: Repair) =>
    Effect.catchAllCause(step, (cause) =>
      Effect.zipRight(
        Effect.logError("A repair failed", cause),
        Effect.sync(() => found.push(otherwise))
      )
    )

  for (const [id, erasures] of byEnvironment(plan.erasuresInEvents))
    yield* orNoted(eraseFromEvents(id, erasures), unerased(id, erasures.length))
  for (const stranger of plan.leftover) {
    yield* done((resume) => events.removeMembers(stranger.environmentId, stranger.id, resume))
    found.push(removedLeftover(stranger))
  }
  if (plan.isMetadataOlder || metadata.areAssignmentsLost) {
    if (metadata.round < facts.round) found.push(olderMetadata(metadata.notedAt, facts.notedAt))
    yield* orNoted(restoreAssignments(), unreadExposures)
  }
  for (const [id, erasures] of byEnvironment(plan.erasuresInMetadata)) yield* eraseFromMetadata(id, erasures)
  yield* repairMetadata(plan)
  yield* log.add(found, now)
  // A folder of a version that noted no time: nothing is newer than what was received last.
  const newest = Math.max(0, ...[...facts.environments.values()].map(({ newestReceipt }) => newestReceipt))
  if ((yield* times.get) === null && newest > 0) yield* times.put(Math.min(newest, now))
  if (events.id !== null) yield* records.join(events.id)
  return Math.max(metadata.round, facts.round)
}, Effect.scoped)
