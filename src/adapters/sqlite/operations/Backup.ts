import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Clock, DateTime, Effect, Schedule, Schema } from "effect"
import type Database from "better-sqlite3"
import { backupName, type BackupManifest, isBackupName } from "../../../domain/operations/Backup.ts"
import { ifStopped } from "../../../ports/operations/MeaningOfStop.ts"
import { reasonOf } from "../../local/ReasonOf.ts"
import { isThere, makeFolder, synced } from "../../node/Folders.ts"
import { dataFilesIn } from "../DataFolder.ts"
import { heldFolder, removeIfAbandoned } from "../HeldFolder.ts"
import { formatOf, formatVersion, openForReading } from "../events/file/EventsDb.ts"
import { verify } from "../events/file/Verification.ts"
import { examinePages } from "../pages/PageExamination.ts"
import { attempt, orFailed } from "./BackupFailed.ts"
import { compress, syncFolder } from "./CompressedFile.ts"
import { countsOf, installationOf, migrationOf } from "./FileCounts.ts"
import { pinPair } from "./PinnedPair.ts"
import { damagedRows } from "./RowCheck.ts"
import {
  backedUp,
  completeBackups,
  knownFormats,
  manifestName,
  ManifestText,
  rotationOf,
  unpack,
  untouched
} from "./StoredBackup.ts"

/** Pages that are copied before other work of the thread has its turn: 16 MB of events. */
const pagesAtOnce = 2000

/** What stands before the name of a backup that is being written. */
const unfinished = ".unfinished-"

const copy = (database: Database.Database, to: string, place: string) =>
  attempt(`${place} cannot take a copy of the data folder`, () => database.backup(to, { progress: () => pagesAtOnce }))

/** Compares every marker of a copy with its checksums. Files of older formats are compared once a start has brought them forward. */
const damagedMarkers = (file: string) =>
  Effect.acquireUseRelease(
    Effect.try(() => openForReading(file)),
    (database) => Effect.try(() => (formatOf(database) === formatVersion ? verify(database).problems : [])),
    (database) => Effect.sync(() => database.close())
  ).pipe(orFailed(`The copy ${file} cannot be read`))

/** Damaged pages of one file that are named. */
const mostNamed = 10

/** Compares every page of a file in the data folder with its checksum: a copy has none, and would be taken as it is for ever. */
const damagedPages = (file: string) =>
  Effect.try(() => examinePages(file)).pipe(
    Effect.map((problems) =>
      problems.length > mostNamed
        ? [...problems.slice(0, mostNamed), `${file}: so are ${problems.length - mostNamed} more pages`]
        : problems
    ),
    orFailed(`${file} cannot be read`)
  )

/** Copies both files as of one instant into a folder, and tells what they hold. */
const takeSnapshot = Effect.fnUntraced(function* (data: string, folder: string, place: string) {
  const own = yield* dataFilesIn(data)
  const { metadata, events, instant, release } = yield* pinPair(own)
  const copies = yield* dataFilesIn(folder)
  const what = yield* Effect.try(() => ({
    instant: DateTime.unsafeMake(instant),
    installation: installationOf(metadata),
    formats: { metadata: migrationOf(metadata), events: formatOf(events) },
    counts: { metadata: countsOf(metadata), events: countsOf(events) }
  })).pipe(orFailed(`No backup can be made of ${data}, ask gamekeeper doctor --deep what is wrong with it`))
  yield* copy(metadata, copies.metadata, place)
  yield* copy(events, copies.events, place)
  yield* release
  const damage = yield* Effect.all([
    what.formats.metadata === knownFormats.metadata
      ? damagedRows(copies.metadata, true).pipe(orFailed(`The copy ${copies.metadata} cannot be read`))
      : Effect.succeed([]),
    damagedMarkers(copies.events),
    damagedPages(own.metadata),
    damagedPages(own.events)
  ])
  return { ...what, damage: damage.flat() }
}, Effect.scoped)

/** Compresses the snapshot into the backup's folder. */
const store = Effect.fnUntraced(function* (
  snapshot: string,
  target: string,
  version: string,
  { counts, ...what }: Effect.Effect.Success<ReturnType<typeof takeSnapshot>>
) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const [metadata, events] = yield* Effect.forEach(backedUp, (name) =>
    attempt(`${path.dirname(target)} cannot take the backup`, () =>
      compress(path.join(snapshot, `${name}.sqlite`), path.join(target, `${name}.sqlite.gz`))
    ).pipe(Effect.map(({ read, written }) => ({ original: read, stored: written, counts: counts[name] })))
  )
  if (metadata === undefined || events === undefined) return yield* Effect.dieMessage("Both files were compressed")
  const manifest: BackupManifest = { manifest: 1, version, ...what, files: { metadata, events } }
  const text = yield* Effect.orDie(Schema.encode(ManifestText)(manifest))
  yield* files.writeFileString(path.join(target, manifestName), text, { flag: "wx", mode: 0o600 })
  yield* synced(path.join(target, manifestName), "r+")
  return manifest
})

/**
 * Deletes what processes have left that ended while they wrote a backup. What cannot be looked at or deleted, such as what another one deletes or
 * renames meanwhile, keeps no new backup from being made.
 */
const removeAbandoned = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const name of yield* files.readDirectory(folder))
    if (name.startsWith(unfinished) && isBackupName(name.slice(unfinished.length)))
      yield* Effect.catchAll(removeIfAbandoned(path.join(folder, name)), (error) =>
        Effect.logWarning(
          `${path.join(folder, name)}, which a killed backup has left, cannot be deleted: ${reasonOf(error)}`
        )
      )
})

/** A folder for a backup on its way. Another server may have made the one of this millisecond. */
const madeNow = (to: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = path.join(to, `${unfinished}${backupName(yield* Clock.currentTimeMillis)}`)
    yield* files.makeDirectory(folder, { mode: 0o700 })
    return folder
  }).pipe(Effect.retry({ while: isThere, schedule: Schedule.spaced("2 millis"), times: 100 }))

/** Gives a whole backup its name, the one of its instant or of the next that no backup of another server has, and answers it. */
const placed = (
  target: string,
  to: string,
  instant: number
): Effect.Effect<string, PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const name = backupName(instant)
    const place = path.join(to, name)
    return yield* Effect.catchAll(Effect.as(files.rename(target, place), name), (error) =>
      Effect.if(files.exists(place), {
        onTrue: () => placed(target, to, instant + 1),
        onFalse: () => Effect.fail(error)
      })
    )
  })

/** Deletes the oldest backups of the installation, so that `keep` stay; answers their names, and those that are dated ahead of the clock. */
const rotate = Effect.fnUntraced(function* (folder: string, installation: string | null, keep: number) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const rotation = yield* rotationOf(yield* completeBackups(folder), installation, keep)
  // Without its list of contents a backup counts no more, so that none is ever half deleted.
  for (const name of rotation.removed) {
    // Another backup may be deleting it, too.
    yield* files.remove(path.join(folder, name, manifestName), { force: true })
    yield* files.remove(path.join(folder, name), { recursive: true, force: true })
  }
  return rotation
})

export interface BackupOptions {
  /** The data folder. A server may use it meanwhile. */
  readonly data: string
  /** The folder of all backups. */
  readonly to: string
  /** The version of the product. */
  readonly version: string
  /** How many backups of this installation stay; null: all. */
  readonly keep: number | null
}

/**
 * Writes a backup of the data folder, both files of one instant, into a folder of its own below `to`: compressed, with checksums, and read
 * back and compared before it counts. Nobody is kept from writing meanwhile. Needs room for an uncompressed copy beside it until it ends.
 */
export const backUp = Effect.fnUntraced(
  function* ({ data, to, version, keep }: BackupOptions) {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    yield* makeFolder(path.resolve(to))
    yield* removeAbandoned(to)
    const { folder: target, letGo } = yield* heldFolder(madeNow(to))
    const snapshot = path.join(target, "snapshot")
    const unpacked = path.join(target, "unpacked")
    yield* files.makeDirectory(snapshot, { mode: 0o700 })
    const manifest = yield* store(snapshot, target, version, yield* takeSnapshot(data, snapshot, to))
    yield* files.remove(snapshot, { recursive: true })
    yield* files.makeDirectory(unpacked, { mode: 0o700 })
    yield* unpack(target, manifest, unpacked)
    yield* files.remove(unpacked, { recursive: true })
    yield* Effect.promise(() => syncFolder(target))
    const name = yield* letGo.pipe(
      Effect.zipRight(placed(target, to, DateTime.toEpochMillis(manifest.instant))),
      Effect.tap((each) =>
        ifStopped(`the backup ${each} is complete, but older ones may be there that were to be deleted`)
      ),
      Effect.uninterruptible
    )
    yield* Effect.promise(() => syncFolder(to))
    // While something is damaged, an older backup may be the only one that has it whole.
    const isKept = keep === null || manifest.damage.length > 0
    return { name, manifest, ...(isKept ? untouched : yield* rotate(to, manifest.installation, keep)) }
  },
  Effect.scoped,
  (work, { to }) => orFailed(`The backup into ${to} failed`)(work)
)
