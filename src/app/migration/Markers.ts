import { Clock, Effect } from "effect"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { catalogueSums, makeMarkerCopy, storedLine } from "../../adapters/clickhouse/operations/MarkerCopy.ts"
import { makeEventsArrived } from "../../adapters/postgres/analytics/EventsArrived.ts"
import type { FolderMigration } from "../../adapters/postgres/operations/FolderMigration.ts"
import { scratchFolder } from "../../adapters/sqlite/ScratchFolder.ts"
import { readMarkerId } from "../../adapters/sqlite/events/bytes/MarkerId.ts"
import { cohortMoves, storedCohorts } from "../../adapters/sqlite/events/file/CohortExport.ts"
import { keptIds } from "../../adapters/sqlite/events/file/ids/KeptIds.ts"
import { MarkerExport } from "../../adapters/sqlite/events/file/MarkerExport.ts"
import type { SourceFolder } from "../../adapters/sqlite/operations/SourceFolder.ts"
import { pulled } from "../../adapters/sqlite/operations/SourceTables.ts"
import { dayMillis } from "../../domain/Durations.ts"
import { MigrationRefused } from "../../domain/operations/MigrationRefused.ts"
import { MarkerGroups } from "./MarkerGroups.ts"
import type { Pace } from "./Pace.ts"
import { counted } from "../../domain/Counted.ts"

/** How many markers, ids or moves go at a time, and how many bytes of markers. */
export interface Portions {
  readonly markers: number
  readonly bytes: number
  readonly ids: number
}

/** Markers that are decoded at a time. */
const decoded = 2000

/** Markers of each block of the file that are compared in full. */
const samples = 64

type Environment = SourceFolder["environments"][number]

const differs = (environment: number, what: string) =>
  new MigrationRefused({
    message: `${what} of environment ${environment} are not the same in the folder and in ClickHouse: drop both databases, make them anew, and begin again`
  })

/** The markers of one environment, with a scratch file as far as they need one. */
const exported = (source: SourceFolder, { id }: Environment) =>
  Effect.flatMap(
    Effect.mapError(scratchFolder(tmpdir(), "migration"), ({ message }) => new MigrationRefused({ message })),
    (folder) =>
      Effect.acquireRelease(
        Effect.try({
          try: () => new MarkerExport(source.events, id, join(folder, "order")),
          catch: (cause) => new MigrationRefused({ message: `The markers cannot be read: ${String(cause)}` })
        }),
        (markers) => Effect.sync(() => markers.close())
      )
  )

/** Brings markers, their ids, names and the members of cohorts into ClickHouse and PostgreSQL, and compares what has arrived. */
export const makeMarkers = (
  source: SourceFolder,
  migration: FolderMigration,
  { begins, reached }: Pace,
  dedupeDays: number,
  portions: Portions
) =>
  Effect.gen(function* () {
    const clickHouse = yield* makeMarkerCopy
    const postgres = yield* makeEventsArrived
    const cohorts = new Set(source.metadata.prepare<[], number>("select id from cohorts").pluck().all())

    /** Under this ClickHouse knows what has arrived before. */
    const tokenOf = (environment: number, what: string) => `migrate:${environment}:${what}`

    const copyMarkers = (environment: Environment, markers: MarkerExport) =>
      Effect.gen(function* () {
        const step = `markers of ${environment.id}`
        let place = yield* migration.reached(step)
        if (markers.count > 0) yield* begins(`${counted(markers.count, "marker")} of environment ${environment.id}`)
        const groups = markers.from(place, decoded)
        let [lines, bytes]: [Array<string>, number] = [[], 0]
        for (;;) {
          const group = yield* pulled(groups)
          for (const event of group ?? []) {
            const line = storedLine(environment.id, event)
            lines.push(line)
            bytes += line.length
          }
          if (lines.length > 0 && (group === null || lines.length >= portions.markers || bytes >= portions.bytes)) {
            yield* clickHouse.saveLines(lines, tokenOf(environment.id, `${place}`))
            place += lines.length
            yield* migration.reach(step, place)
            yield* reached(place, markers.count)
            ;[lines, bytes] = [[], 0]
          }
          if (group === null) return
        }
      })

    /** Ids by which duplicates are known today; the others are forgotten. */
    const copyIds = (environment: Environment) =>
      Effect.gen(function* () {
        const step = `ids of ${environment.id}`
        const first = Math.floor((yield* Clock.currentTimeMillis) / dayMillis) - dedupeDays
        const before = yield* migration.reached(step)
        const ids = keptIds(source.events, environment.id)
        const waiting = new Map<number, Array<string>>()
        let [place, held] = [0, 0]
        const save = Effect.suspend(() =>
          Effect.forEach(waiting, ([day, own]) => postgres.saveIds(environment.id, day, own), { discard: true })
        ).pipe(
          Effect.zipRight(Effect.suspend(() => migration.reach(step, place))),
          Effect.zipRight(Effect.sync(() => waiting.clear()))
        )
        for (;;) {
          const id = yield* pulled(ids)
          if (id === null) return yield* save
          if (++place <= before || id.day < first) continue
          const own = waiting.get(id.day) ?? []
          own.push(readMarkerId(id.bytes, id.offset))
          waiting.set(id.day, own)
          if (++held % portions.ids === 0) yield* save
        }
      })

    const copyMoves = (environment: Environment) =>
      Effect.gen(function* () {
        const stored = storedCohorts(source.events, environment.id).filter(({ cohortId }) => cohorts.has(cohortId))
        for (const cohort of stored) {
          const moves = cohortMoves(source.events, environment.id, cohort)
          let [group, part]: [Array<{ unit: string; at: number; entered: boolean }>, number] = [[], 0]
          for (;;) {
            const move = yield* pulled(moves)
            if (move !== null) group.push(move)
            if (group.length > 0 && (move === null || group.length >= portions.markers)) {
              const token = tokenOf(environment.id, `cohort:${cohort.cohortId}:${part++}`)
              yield* clickHouse.saveMoves(environment.id, cohort.cohortId, group, token)
              group = []
            }
            if (move === null) break
          }
          yield* postgres.saveGeneration(environment.id, cohort.cohortId, cohort.at)
        }
        return stored.length
      })

    const copyOne = (environment: Environment) =>
      Effect.gen(function* () {
        const step = `environment ${environment.id}`
        if ((yield* migration.reached(step)) > 0) return
        const markers = yield* exported(source, environment)
        yield* copyMarkers(environment, markers)
        yield* copyIds(environment)
        const catalogue = markers.catalogue()
        yield* clickHouse.saveCatalogue(environment.id, catalogue, tokenOf(environment.id, "catalogue"))
        yield* postgres.saveNames(environment.id, catalogue)
        const generations = yield* copyMoves(environment)
        if (environment.highest + generations > 0)
          yield* postgres.saveHead(environment.id, environment.highest, markers.count, generations)
        yield* migration.reach(step, 1)
      }).pipe(Effect.scoped)

    const checkSums = (environment: Environment, markers: MarkerExport) =>
      Effect.gen(function* () {
        const arrived = yield* clickHouse.sums(environment.id)
        let moves = 0
        for (const cohort of storedCohorts(source.events, environment.id).filter(({ cohortId }) =>
          cohorts.has(cohortId)
        )) {
          const all = cohortMoves(source.events, environment.id, cohort)
          while ((yield* pulled(all)) !== null) moves++
        }
        if (arrived.moves !== moves) return yield* differs(environment.id, "The members of cohorts")
        const isSame = [...catalogueSums(markers.catalogue())].every(
          ([kind, n]) => (arrived.catalogue.get(kind) ?? 0) === n
        )
        if (!isSame) return yield* differs(environment.id, "The types, names and values")
      })

    const checkOne = (environment: Environment, idsFrom: number) =>
      Effect.gen(function* () {
        const markers = yield* exported(source, environment)
        if (markers.count > 0)
          yield* begins(`comparison of ${counted(markers.count, "marker")} of environment ${environment.id}`)
        const groups = new MarkerGroups()
        const blocks = markers.counted(samples)
        let done = 0
        for (;;) {
          const block = yield* pulled(blocks)
          if (block === null) break
          for (const { type, timestamp, sequence, hasUnit } of block.rows)
            groups.add(type, timestamp, sequence, hasUnit)
          const arrived = yield* clickHouse.lines(
            environment.id,
            block.sampled.map(({ sequence }) => sequence),
            idsFrom
          )
          for (const event of block.sampled) {
            const expected = event.receivedAt < idsFrom ? { ...event, markerId: null } : event
            if (arrived.get(event.sequence) !== storedLine(environment.id, expected))
              return yield* differs(environment.id, `The values of marker ${event.sequence}`)
          }
          done += block.rows.length
          yield* reached(done, markers.count)
        }
        const difference = groups.differenceTo(yield* clickHouse.groups(environment.id))
        if (difference !== null) return yield* differs(environment.id, `The markers (type and day ${difference})`)
        yield* checkSums(environment, markers)
        return done
      }).pipe(Effect.scoped)

    const copy = Effect.forEach(source.environments, copyOne, { discard: true })

    /** Answers how many markers there are. */
    const check = Effect.gen(function* () {
      const idsFrom = (Math.floor((yield* Clock.currentTimeMillis) / dayMillis) - dedupeDays) * dayMillis
      const counts = yield* Effect.forEach(source.environments, (environment) => checkOne(environment, idsFrom))
      return counts.reduce((sum, count) => sum + count, 0)
    })

    return { copy, check, filled: clickHouse.filled }
  })
