import { Clock, Data, Effect, Either, Option, Predicate, Ref, Stream } from "effect"
import { environmentNamed } from "../../domain/access/NamedEnvironment.ts"
import type { Environment } from "../../domain/access/Organization.ts"
import { withMarkerIds, readBatch } from "../../domain/ingest/Batch.ts"
import { canonicalMarkerId, markerIdOf } from "../../domain/ingest/MarkerId.ts"
import { tally } from "../../domain/ingest/IngestCounts.ts"
import { emptySummary, type ImportSummary } from "../../domain/ingest/ImportSummary.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import type { RejectionCode } from "../../domain/ingest/Rejection.ts"
import { Retention } from "../operations/Retention.ts"
import { keptFor } from "../../domain/ingest/Marker.ts"
import { AuditTrail } from "../operations/AuditTrail.ts"
import { ErasedUnits } from "../operations/ErasedUnits.ts"
import { MarkerNames } from "./MarkerNames.ts"

/** Where a record was read, its number counted from 1, and what it says there. */
interface RecordSource {
  readonly file: string
  readonly record: number
  readonly content: unknown
  /** The JSON as it stands there, where `content` has texts in the place of its numbers. */
  readonly written?: string | undefined
}

/** One line or row: its markers as a game would send them, and a text that names it among all records ever imported. */
export interface ImportRecord {
  readonly name: string
  readonly markers: ReadonlyArray<unknown>
  readonly read: RecordSource
}

/** A record with a marker that was rejected, and why. */
export interface RefusedRecord extends RecordSource {
  readonly code: RejectionCode
  readonly reason: string
}

/** The summary so far, and what the last batch has added to the rejected. */
export interface ImportProgress {
  readonly summary: ImportSummary
  readonly refused: ReadonlyArray<RefusedRecord>
}

/** Nobody could ask for markers of an environment that is not there, and the next start would set them aside. */
export class EnvironmentMissing extends Data.TaggedError("EnvironmentMissing")<{ readonly message: string }> {}

const batchSize = 2000
const inFlight = 4

const add = (a: ImportSummary, b: ImportSummary): ImportSummary => ({
  records: a.records + b.records,
  leftOut: a.leftOut + b.leftOut,
  imported: a.imported + b.imported,
  clamped: a.clamped + b.clamped,
  duplicates: a.duplicates + b.duplicates,
  stale: a.stale + b.stale,
  rejected: a.rejected + b.rejected,
  reasons: Object.fromEntries(
    [...new Set([...Object.keys(a.reasons), ...Object.keys(b.reasons)])].map((code) => [
      code,
      (a.reasons[code] ?? 0) + (b.reasons[code] ?? 0)
    ])
  )
})

const beginning = (summary: ImportSummary): ImportProgress => ({ summary, refused: [] })

const countOf = (codes: ReadonlyArray<string>) => {
  const counts: Record<string, number> = {}
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

/** Loads records from outside into an environment. Run by the operator of the server: it asks for no permission. */
export class Imports extends Effect.Service<Imports>()("services/ingest/Imports", {
  effect: Effect.gen(function* () {
    const { nameLimits } = yield* Settings
    const retention = yield* Retention
    const erased = yield* ErasedUnits
    const markerNames = yield* MarkerNames
    const events = yield* EventStore
    const projects = yield* ProjectRepo
    const secrets = yield* Secrets
    const trail = yield* AuditTrail

    /** The record's markers; one without an id of its own gets one that follows from the record, so that a repeat is a duplicate. */
    const named = ({ name, markers }: ImportRecord): ReadonlyArray<unknown> =>
      markers.map((marker, i) =>
        !Predicate.isRecord(marker) || canonicalMarkerId(marker["markerId"]) !== null
          ? marker
          : { ...marker, markerId: markerIdOf(secrets.fingerprint(`${i} ${name}`), 0) }
      )

    const storeBatch = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      records: ReadonlyArray<ImportRecord>
    ) {
      const receivedAt = yield* Clock.currentTimeMillis
      const erasures = erased.erasures(environmentId)
      const isErased = yield* erased.testFor(environmentId)
      const names = yield* markerNames.of(environmentId)
      const namesBefore = names.bytes
      const receipt = {
        receivedAt,
        ...keptFor(yield* retention.ruleFor(environmentId)),
        isErased,
        names,
        isImport: true
      }
      const markers = records.flatMap((record) => named(record).map((marker) => ({ marker, read: record.read })))
      const batch = readBatch(
        markers.map(({ marker }) => marker),
        receipt
      )
      markerNames.grown(environmentId, names, namesBefore)
      const { rejected } = batch
      const stored = withMarkerIds(batch.kept, new Uint8Array())
      const duplicates = yield* events.append(environmentId, receivedAt, stored)
      yield* erased.removeOvertaken(environmentId, erasures, stored)
      const counts = tally(batch, duplicates)
      const summary: ImportSummary = {
        records: records.length,
        leftOut: records.filter((record) => record.markers.length === 0).length,
        imported: counts.ingestedMarkersCount,
        clamped: counts.clampedMarkers.length,
        duplicates: counts.duplicateMarkersCount,
        stale: counts.staleMarkersCount,
        rejected: rejected.length,
        reasons: countOf(rejected.map(({ code }) => code))
      }
      const refused = rejected.flatMap(({ index, code, reason }): ReadonlyArray<RefusedRecord> => {
        const read = markers[index]?.read
        return read === undefined ? [] : [{ code, reason, ...read }]
      })
      return { summary, refused }
    })

    /** The environment that a word is the id, the alias or the name of. */
    const environmentCalled = Effect.fnUntraced(function* (word: string) {
      const all = yield* projects.everyEnvironment
      const placed = yield* Effect.forEach(all, ({ id, name, alias, applicationId }) =>
        Effect.map(projects.find(applicationId), (project) => ({
          id,
          name,
          alias,
          project: Option.match(project, { onNone: () => String(applicationId), onSome: (found) => found.name })
        }))
      )
      return yield* Either.mapLeft(environmentNamed(word, placed), (message) => new EnvironmentMissing({ message }))
    })

    const demandEnvironment = Effect.fnUntraced(function* (id: EnvironmentId) {
      const environment = yield* projects.findEnvironment(id)
      if (Option.isSome(environment)) return environment.value
      return yield* new EnvironmentMissing({
        message: `Environment ${id} does not exist here: sign in to the server once, and look for its number in Settings, Environments`
      })
    })

    /** Notes in the log of changes that the import begins; answers how to note its end. */
    const noted = Effect.fnUntraced(function* ({ id, name, applicationId }: Environment) {
      const project = yield* projects.find(applicationId)
      if (Option.isNone(project)) return () => Effect.void
      const begun = yield* trail.begun(project.value.organizationId, {
        operation: "environments.importMarkers",
        object: { kind: "environments", id: String(id), name },
        reason: "gamekeeper import, by the operator of the server",
        applicationId,
        environmentId: id
      })
      return ({ records, imported, duplicates, stale, rejected }: ImportSummary) =>
        trail.ended(begun, { before: null, after: { records, imported, duplicates, stale, rejected } })
    })

    /** How far it is after each batch that is on disk; the records of `start` are passed over. */
    const run = <E, R>(
      environmentId: EnvironmentId,
      records: Stream.Stream<ImportRecord, E, R>,
      start: ImportSummary = emptySummary
    ) => {
      const stored = (end: (summary: ImportSummary) => Effect.Effect<void>) =>
        Stream.unwrap(
          Effect.map(Ref.make(start), (reached) =>
            records.pipe(
              Stream.drop(start.records),
              Stream.grouped(batchSize),
              Stream.mapEffect((batch) => storeBatch(environmentId, [...batch]), { concurrency: inFlight }),
              Stream.scan(beginning(start), ({ summary }, batch) => ({
                ...batch,
                summary: add(summary, batch.summary)
              })),
              Stream.tap(({ summary }) => Ref.set(reached, summary)),
              Stream.concat(Stream.execute(Effect.flatMap(Ref.get(reached), end)))
            )
          )
        )
      return Stream.unwrap(Effect.map(Effect.flatMap(demandEnvironment(environmentId), noted), stored))
    }

    /** The highest sequence number that a marker of the environment has. */
    const highestSequence = (environmentId: EnvironmentId) =>
      Effect.map(events.version(environmentId), (version) => version.highestSequence)

    /** What decides beside the markers themselves which of them are refused, as a text. */
    const limits = (environmentId: EnvironmentId) =>
      Effect.map(retention.ruleFor(environmentId), (rule) => JSON.stringify([rule, nameLimits]))

    return { environmentCalled, highestSequence, limits, run } as const
  })
}) {}
