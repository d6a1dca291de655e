import { FileSystem, Path } from "@effect/platform"
import { Clock, Effect } from "effect"
import { backupName } from "../../../domain/operations/Backup.ts"
import { ifStopped } from "../../../ports/operations/MeaningOfStop.ts"
import { acquireDataFolder } from "../DataFolder.ts"
import { attempt, BackupFailed, orFailed } from "./BackupFailed.ts"
import { syncFolder } from "./CompressedFile.ts"
import { cutOffIn, removeCutOff, restoringIn } from "./CutOff.ts"
import { completeBackups, manifestName, manifestOf, newestIn, unpack } from "./StoredBackup.ts"

/** What the lock of this process leaves in the folder. */
const lockFile = /^lock(-journal)?$/

/** A file of a database, with its log and checksums; and the notes of imports that were cut short, which speak of the markers in it. */
const databaseFile = /^((metadata|events)\.sqlite|imports$)/

/** The backup that a path names: its own folder, or a folder of backups, of which the newest is taken. */
const chosen = Effect.fnUntraced(function* (from: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (yield* files.exists(path.join(from, manifestName))) return from
  const { name } = yield* newestIn(from, yield* completeBackups(from))
  return path.join(from, name)
})

/**
 * Puts both files into the folder. What is there is moved into `aside`. Wherever a crash cuts this off, the folder has a metadata file
 * without its event file, with which no server starts, and restoring can begin again.
 */
const putInPlace = Effect.fnUntraced(function* (from: string, data: string, aside: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const old = (yield* files.readDirectory(data)).filter((name) => databaseFile.test(name))
  const moveAside = (name: string) => files.rename(path.join(data, name), path.join(aside, name))
  if (old.length > 0) {
    yield* files.makeDirectory(aside, { mode: 0o700 })
    for (const name of old.filter((each) => !each.startsWith("metadata"))) yield* moveAside(name)
    if (old.includes("metadata.sqlite"))
      yield* files.link(path.join(data, "metadata.sqlite"), path.join(aside, "metadata.sqlite"))
    for (const name of old.filter((each) => each.startsWith("metadata.sqlite-"))) yield* moveAside(name)
  }
  for (const name of ["metadata.sqlite", "events.sqlite"]) {
    yield* files.chmod(path.join(from, name), 0o600)
    yield* files.rename(path.join(from, name), path.join(data, name))
    yield* attempt(`${data} cannot be written`, () => syncFolder(data))
  }
  return old.length > 0 ? aside : null
})

export interface RestoreOptions {
  /** A backup, or a folder of backups. */
  readonly from: string
  /** The data folder, in which no server may run. */
  readonly data: string
  /** Whether files of an earlier server in the folder are moved aside. */
  readonly force: boolean
}

/**
 * Restores a backup into a data folder that nobody uses and that is empty. With `force` the databases that are there are moved into a
 * folder beside, and nothing of them is deleted. The backup is unpacked and compared first; where that fails, nothing has changed. What a
 * restore that was cut off has unpacked goes.
 */
export const restore = Effect.fnUntraced(
  function* ({ from, data, force }: RestoreOptions) {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const backup = yield* chosen(from)
    const manifest = yield* manifestOf(backup)
    yield* acquireDataFolder(data)
    const left = (yield* cutOffIn(data)).filter(({ command }) => command === "restore")
    const isLeft = (name: string) => left.some((each) => each.name === name)
    const present = (yield* files.readDirectory(data)).filter((name) => !lockFile.test(name) && !isLeft(name))
    if (present.length > 0 && !force)
      return yield* new BackupFailed({
        message: `The data folder ${data} is not empty (${present.slice(0, 4).join(", ")}): name another one, or move its databases into a folder beside them by --force`
      })
    const instant = backupName(yield* Clock.currentTimeMillis).replace("gamekeeper-", "")
    const unpacked = path.join(data, restoringIn(instant))
    yield* removeCutOff(data, left)
    yield* Effect.acquireRelease(files.makeDirectory(unpacked, { mode: 0o700 }), () =>
      Effect.ignoreLogged(files.remove(unpacked, { recursive: true, force: true }))
    )
    yield* unpack(backup, manifest, unpacked)
    const aside = yield* Effect.uninterruptible(
      Effect.zipLeft(
        putInPlace(unpacked, data, path.join(data, `replaced-${instant}`)),
        ifStopped(`${data} is restored from ${backup}`)
      )
    )
    return { backup, manifest, aside }
  },
  Effect.scoped,
  (work, { data }) => orFailed(`${data} cannot be restored`)(work)
)
