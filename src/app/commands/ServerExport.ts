import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Clock, DateTime, Effect, Either, Schema, Stream } from "effect"
import { tmpdir } from "node:os"
import { scratchFolder } from "../../adapters/sqlite/ScratchFolder.ts"
import { ParquetFilesNode } from "../../adapters/node/Parquet.ts"
import { makeFolder, synced, syncedNames } from "../../adapters/node/Folders.ts"
import { dataFilesIn } from "../../adapters/sqlite/DataFolder.ts"
import { BackupFailed, orFailed } from "../../adapters/sqlite/operations/BackupFailed.ts"
import { installationIn } from "../../adapters/sqlite/operations/FileCounts.ts"
import {
  type FolderEnvironment,
  type MarkerDay,
  openFolderMarkers
} from "../../adapters/sqlite/operations/FolderMarkers.ts"
import { isFileKept } from "../../domain/analytics/table/ExportedDay.ts"
import { markerColumns, markerRow } from "../../domain/analytics/table/MarkerTable.ts"
import { isInBucket } from "../../domain/operations/BucketAddress.ts"
import { ParquetFiles } from "../../ports/analytics/ParquetFiles.ts"
import type { BucketSettings } from "../BucketOptions.ts"
import { bucketAt, demandBackedUp } from "./BackupFiles.ts"
import { holdExportFolder } from "./HeldExportFolder.ts"

/** What is exported, and where to. */
export interface ServerExportWish {
  readonly data: string
  /** A folder, or s3://bucket/prefix. */
  readonly to: string
  readonly retentionDays: number
  /** Ids or aliases of environments; empty: all. */
  readonly environments: ReadonlyArray<string>
  /** Whether days are written again that have as many markers as their file. */
  readonly isFresh: boolean
}

/** Which server has written into a place; exports of older versions do not say it. */
const installation = Schema.optional(Schema.NullOr(Schema.String))

const Manifest = Schema.parseJson(
  Schema.Struct({
    installation,
    project: Schema.String,
    environment: Schema.String,
    /** Aliases are given again; exports of older versions name no id. */
    environmentId: Schema.optional(Schema.Int),
    days: Schema.Record({
      key: Schema.String,
      value: Schema.Struct({ markers: Schema.Int, asOf: Schema.Int, bytes: Schema.Int })
    })
  }),
  { space: 2 }
)

const Last = Schema.parseJson(Schema.Struct({ installation, endedAt: Schema.DateTimeUtc }), { space: 2 })

const manifestName = "export.json"
const lastName = "last-export.json"

/** Files below the place that exports go to, by names with slashes. */
const folderAt = Effect.fnUntraced(function* (to: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const failed = orFailed(`${to} cannot be used`)
  /** Appears when it is whole, and lasts through a power cut then: what is written next says that it is there. */
  const put = (name: string, write: (part: string) => Effect.Effect<void, PlatformError>) => {
    const file = path.join(to, name)
    const part = `${file}.part`
    return makeFolder(path.resolve(to, path.dirname(name))).pipe(
      Effect.zipRight(write(part)),
      Effect.zipRight(synced(part, "r+")),
      Effect.zipRight(files.rename(part, file)),
      Effect.zipRight(syncedNames(path.dirname(file))),
      failed
    )
  }
  return {
    text: (name: string) =>
      Effect.if(files.exists(path.join(to, name)), {
        onTrue: () => files.readFileString(path.join(to, name)),
        onFalse: () => Effect.succeed(null)
      }).pipe(failed),
    putText: (name: string, text: string) => put(name, (part) => files.writeFileString(part, text, { mode: 0o600 })),
    /** Another disk may hold the folder, so the file is copied beside its place first. */
    putFile: (name: string, from: string) => put(name, (part) => files.copyFile(from, part))
  }
})

const inBucketAt = Effect.fnUntraced(function* (to: string, settings: BucketSettings) {
  const files = yield* FileSystem.FileSystem
  const bucket = yield* bucketAt(to, settings)
  const names = new Set(yield* bucket.names)
  return {
    text: (name: string) => (names.has(name) ? bucket.text(name) : Effect.succeed(null)),
    putText: bucket.putText,
    putFile: (name: string, from: string) =>
      files.stat(from).pipe(
        orFailed(`${from} cannot be read`),
        Effect.flatMap(({ size }) => bucket.putFile(name, from, Number(size))),
        Effect.provideService(FileSystem.FileSystem, files)
      )
  }
})

const placeAt = (to: string, settings: BucketSettings) => (isInBucket(to) ? inBucketAt(to, settings) : folderAt(to))

type Place = Effect.Effect.Success<ReturnType<typeof folderAt>>

const foreign = (name: string) => () =>
  new BackupFailed({ message: `${name} is not what an export wrote: choose another place` })

const isWhole = (text: string): boolean => Either.isRight(Schema.decodeEither(Schema.parseJson())(text))

/** An empty file, or the beginning of one, is what a power cut has left, and names no server that would have written it. */
const orCutOff = (name: string, home: string, text: string) => () =>
  isWhole(text)
    ? foreign(name)()
    : new BackupFailed({
        message: `${name} is empty or was cut off, as by a power cut: delete it, and the next export writes all days of ${home} again that the server has`
      })

/** Whether another server than the one of the data folder has written it. */
const isOfAnother = (
  { installation: other = null }: { readonly installation?: string | null | undefined },
  own: string | null
): boolean => other !== null && own !== null && other !== own

/** When the last complete export of a data folder into a place ended, in epoch milliseconds; null: never, or what is there is another server's. */
export const lastExportOf = Effect.fnUntraced(function* (data: string, to: string, settings: BucketSettings) {
  const text = yield* (yield* placeAt(to, settings)).text(lastName)
  if (text === null) return null
  // The next export writes it anew.
  if (!isWhole(text)) return null
  const last = yield* Effect.mapError(Schema.decode(Last)(text), foreign(lastName))
  const own = yield* installationIn(data).pipe(orFailed(`${data} cannot be read`))
  return isOfAnother(last, own) ? null : DateTime.toEpochMillis(last.endedAt)
})

/** The environments that the words name, by id or alias. A word that names none is refused. */
const chosen = (all: ReadonlyArray<FolderEnvironment>, words: ReadonlyArray<string>) => {
  const fits = (word: string) => (each: FolderEnvironment) => word === String(each.id) || word === each.alias
  const unknown = words.filter((word) => !all.some(fits(word)))
  return unknown.length > 0
    ? new BackupFailed({ message: `There is no environment ${unknown.join(", ")}: name ids or aliases` })
    : Effect.succeed(words.length === 0 ? all : all.filter((each) => words.some((word) => fits(word)(each))))
}

/** One environment into its own folder of the place; answers how many days were written and how many were as they are. */
const exportEnvironment = Effect.fnUntraced(function* (
  place: Place,
  markers: Effect.Effect.Success<ReturnType<typeof openFolderMarkers>>,
  environment: FolderEnvironment,
  isFresh: boolean
) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const parquet = yield* ParquetFiles
  const home = `${environment.projectId}-${environment.alias}`
  const manifest = `${home}/${manifestName}`
  const text = yield* place.text(manifest)
  const before =
    text === null ? null : yield* Effect.mapError(Schema.decode(Manifest)(text), orCutOff(manifest, home, text))
  const own = markers.installation
  if (before !== null && isOfAnother(before, own)) {
    return yield* new BackupFailed({
      message: `${manifest} is of another server, whose files would be mixed with those of this one: choose another place`
    })
  }
  const former = before?.environmentId ?? environment.id
  if (former !== environment.id) {
    return yield* new BackupFailed({
      message: `${home} holds the markers of environment ${former}, whose alias environment ${environment.id} has now: move ${home} away, and the next export begins anew`
    })
  }
  const done = new Map(Object.entries(before?.days ?? {}))
  const { asOf, days } = yield* markers.days(environment.id)
  const changed = days.filter((day) => isFresh || !isFileKept(done.get(day.day)?.markers, day))
  const beside = yield* scratchFolder(tmpdir(), "export").pipe(orFailed(`${tmpdir()} has no room for a day on its way`))
  const file = path.join(beside, "markers.parquet")

  const write = Effect.fnUntraced(function* ({ day, from, markers: count }: MarkerDay) {
    const rows = Stream.map(markers.markers(environment.id, from, asOf), (all) => all.map(markerRow))
    yield* Stream.run(parquet.write(markerColumns, rows), files.sink(file)).pipe(orFailed(`${file} cannot be written`))
    const { size } = yield* files.stat(file).pipe(orFailed(`${file} cannot be read`))
    yield* place.putFile(`${home}/markers/day=${day}/markers.parquet`, file)
    done.set(day, { markers: count, asOf, bytes: Number(size) })
    const days = Object.fromEntries([...done].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    const { id: environmentId, alias, project } = environment
    const known = { installation: own, project, environment: alias, environmentId, days }
    yield* place.putText(manifest, `${yield* Effect.orDie(Schema.encode(Manifest)(known))}\n`)
  })

  yield* Effect.forEach(changed, write, { discard: true })
  return { written: changed.length, kept: days.length - changed.length }
}, Effect.scoped)

/**
 * Writes the markers of a data folder, which a server may use meanwhile, as Parquet: `<project>-<environment>/markers/day=…/markers.parquet`.
 * Days whose number of markers has not changed since the last export stay as they are. What was cut off goes on with the next one.
 */
export const exportServer = Effect.fnUntraced(
  function* (wish: ServerExportWish, settings: BucketSettings) {
    yield* demandBackedUp(wish.data)
    if (!isInBucket(wish.to)) yield* holdExportFolder(wish.to)
    const place = yield* placeAt(wish.to, settings)
    const now = yield* Clock.currentTimeMillis
    const markers = yield* openFolderMarkers(yield* dataFilesIn(wish.data), wish.retentionDays, now)
    const environments = yield* chosen(markers.environments, wish.environments)
    // One environment that cannot be exported keeps no other from it.
    const [failures, done] = yield* Effect.partition(environments, (environment) =>
      exportEnvironment(place, markers, environment, wish.isFresh)
    )
    const [failure] = failures
    if (failure !== undefined) return yield* failure
    const endedAt = yield* DateTime.now
    yield* place.putText(
      lastName,
      `${yield* Effect.orDie(Schema.encode(Last)({ installation: markers.installation, endedAt }))}\n`
    )
    return {
      environments: environments.length,
      written: done.reduce((sum, { written }) => sum + written, 0),
      kept: done.reduce((sum, { kept }) => sum + kept, 0)
    }
  },
  Effect.scoped,
  Effect.provide(ParquetFilesNode)
)
