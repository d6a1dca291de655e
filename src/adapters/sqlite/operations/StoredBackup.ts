import { FileSystem, Path } from "@effect/platform"
import Database from "better-sqlite3"
import { Array, Clock, DateTime, Effect, Option, Schema } from "effect"
import {
  backupsAhead,
  BackupManifest,
  countDifferences,
  type Digest,
  isBackupName,
  type KeptBackup,
  newerFormat,
  newestOf,
  surplus
} from "../../../domain/operations/Backup.ts"
import { formatVersion } from "../events/file/EventsDb.ts"
import { newestMigration } from "../MetadataDb.ts"
import { attempt, BackupFailed, orFailed } from "./BackupFailed.ts"
import { decompress } from "./CompressedFile.ts"
import { countsOf } from "./FileCounts.ts"

export const backedUp = ["metadata", "events"] as const

export const manifestName = "manifest.json"

/** The list of contents as it stands in its file. */
export const ManifestText = Schema.parseJson(BackupManifest, { space: 2 })

/** What this version can read. */
export const knownFormats: BackupManifest["formats"] = { metadata: newestMigration, events: formatVersion }

/** The contents of a backup. */
export const manifestOf = Effect.fnUntraced(function* (backup: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return yield* files
    .readFileString(path.join(backup, manifestName))
    .pipe(Effect.flatMap(Schema.decode(ManifestText)), orFailed(`${backup} is no complete backup`))
})

/** A complete backup, by its name and its list of contents. */
export interface StoredBackup {
  readonly name: string
  readonly manifest: BackupManifest
}

/** What decides whether a backup is deleted. */
const keptBackup = ({ name, manifest: { installation, instant } }: StoredBackup): KeptBackup => ({
  name,
  installation,
  instant: DateTime.toEpochMillis(instant)
})

/** Names of older backups when a new one has been made. */
export interface Rotation {
  readonly removed: ReadonlyArray<string>
  /** Dated ahead of the clock: they stay, and do not count among those kept. */
  readonly ahead: ReadonlyArray<string>
}

/** Where all older backups stay. */
export const untouched: Rotation = { removed: [], ahead: [] }

/** Which backups of the installation are to be deleted, so that `keep` stay. */
export const rotationOf = (all: ReadonlyArray<StoredBackup>, installation: string | null, keep: number) =>
  Effect.map(Clock.currentTimeMillis, (now): Rotation => {
    const kept = all.map(keptBackup)
    return { removed: surplus(kept, installation, keep, now), ahead: backupsAhead(kept, installation, now) }
  })

/** The newest backup of those in a place, which are sorted from the oldest on; fails where there is none that the clock knows. */
export const newestIn = Effect.fnUntraced(function* (place: string, sorted: ReadonlyArray<StoredBackup>) {
  const now = yield* Clock.currentTimeMillis
  const newest = newestOf(sorted, (backup) => keptBackup(backup).instant, now)
  const last = sorted.at(-1)
  if (last === undefined) return yield* new BackupFailed({ message: `${place} holds no complete backup` })
  if (newest === undefined)
    return yield* new BackupFailed({
      message: `All backups in ${place} are dated ahead of the clock of this machine: name the one that you want, such as ${last.name}`
    })
  if (newest !== last)
    yield* Effect.logWarning(
      `${last.name} in ${place} is dated ahead of the clock of this machine, so ${newest.name} is taken for the newest`
    )
  return newest
})

/**
 * A backup whose list of contents is there. One that cannot be read does not count, which is logged: an older backup is taken for the newest
 * then.
 */
export const counted = <E, R>(place: string, name: string, manifest: Effect.Effect<BackupManifest, E, R>) =>
  Effect.matchEffect(manifest, {
    onSuccess: (found) => Effect.succeedSome<StoredBackup>({ name, manifest: found }),
    onFailure: () =>
      Effect.as(
        Effect.logWarning(`${name} in ${place} does not count as a backup: its list of contents cannot be read`),
        Option.none<StoredBackup>()
      )
  })

/** Name and contents of the complete backups in a folder, oldest first. */
export const completeBackups = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const cannot = orFailed(`The backups in ${folder} cannot be listed`)
  if (!(yield* cannot(files.exists(folder))))
    return yield* new BackupFailed({ message: `There is no folder ${folder}` })
  const names = yield* cannot(files.readDirectory(folder))
  const found = yield* Effect.forEach(names.filter(isBackupName).sort(), (name) =>
    Effect.if(cannot(files.exists(path.join(folder, name, manifestName))), {
      onTrue: () => counted(folder, name, manifestOf(path.join(folder, name))),
      onFalse: () => Effect.succeedNone
    })
  )
  return Array.getSomes(found)
})

const isSame = (left: Digest, right: Digest): boolean => left.bytes === right.bytes && left.sha256 === right.sha256

/** Looks through a whole database, and counts its rows. */
const inspect = (file: string) =>
  Effect.acquireUseRelease(
    Effect.try(() => new Database(file, { readonly: true, fileMustExist: true })),
    (database) =>
      Effect.try(() => ({
        state: String(database.pragma("quick_check(1)", { simple: true })),
        counts: countsOf(database)
      })),
    (database) => Effect.sync(() => database.close())
  ).pipe(orFailed(`${file} cannot be opened`))

/**
 * Unpacks both files of a backup into a folder and proves that they are what was backed up: by their checksums, by a look through each
 * database, and by counting every table.
 */
export const unpack = Effect.fnUntraced(function* (backup: string, manifest: BackupManifest, folder: string) {
  const path = yield* Path.Path
  const newer = newerFormat(manifest.formats, knownFormats)
  if (newer !== null) return yield* new BackupFailed({ message: newer })
  for (const name of backedUp) {
    const { original, stored, counts } = manifest.files[name]
    const packed = path.join(backup, `${name}.sqlite.gz`)
    const target = path.join(folder, `${name}.sqlite`)
    const { read, written } = yield* attempt(`${packed} cannot be unpacked into ${folder}`, () =>
      decompress(packed, target)
    )
    if (!isSame(read, stored) || !isSame(written, original))
      return yield* new BackupFailed({ message: `${packed} is damaged: it is not what was written` })
    const found = yield* inspect(target)
    // Its checksum is that of what was backed up.
    if (found.state !== "ok")
      return yield* new BackupFailed({
        message: `${name}.sqlite was damaged before it was backed up (${found.state.replaceAll("\n", " ")}): ask gamekeeper doctor --deep what is wrong with the data folder; gamekeeper repair makes a new one of what can be read`
      })
    const differences = countDifferences(counts, found.counts)
    if (differences.length > 0)
      return yield* new BackupFailed({ message: `${packed} lacks rows: ${differences.join(", ")}` })
  }
})
