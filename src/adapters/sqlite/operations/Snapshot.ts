import { Path } from "@effect/platform"
import Database from "better-sqlite3"
import { Clock, Effect } from "effect"
import type { UnknownException } from "effect/Cause"
import { constants, existsSync, readFileSync, statSync } from "node:fs"
import { copyFile, mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from "node:fs/promises"
import {
  type FolderVersions,
  isHalfUpgraded,
  needsSnapshot,
  snapshotName,
  superfluousSnapshots
} from "../../../domain/operations/Snapshots.ts"
import { reasonOf } from "../../local/ReasonOf.ts"
import { type DataFiles, DataFolderUnusable } from "../DataFolder.ts"
import { formatOf, formatVersion } from "../events/file/EventsDb.ts"
import { newestMigration } from "../MetadataDb.ts"
import { migrationOf } from "./FileCounts.ts"

const megabyte = 1e6
const folderName = "snapshots"

/** The file in the folder of snapshots that names the one of an upgrade that has not come to its end. */
const upgrading = ".upgrading"

const readOnly = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Database(file, { readonly: true, fileMustExist: true })),
    (database) => Effect.sync(() => database.close())
  )

const isEmpty = (database: Database.Database): boolean =>
  database.prepare("select 1 from sqlite_schema limit 1").get() === undefined

const versionIn = (file: string, read: (database: Database.Database) => number) =>
  !existsSync(file) || statSync(file).size === 0
    ? Effect.succeed(0)
    : Effect.scoped(Effect.map(readOnly(file), (database) => (isEmpty(database) ? 0 : read(database))))

const versionsOf = ({ metadata, events }: DataFiles): Effect.Effect<FolderVersions> =>
  Effect.all({ schema: versionIn(metadata, migrationOf), format: versionIn(events, formatOf) })

/** Both databases with their logs and checksums. SQLite makes the shared memory of a log anew. */
const isOfStores = (name: string): boolean => /^(metadata|events)\.sqlite(-(?!shm$)\w+)?$/.test(name)

const flush = (path: string) =>
  Effect.scoped(
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.tryPromise(() => open(path, "r")),
        (file) => Effect.promise(() => file.close())
      ),
      (file) => Effect.tryPromise(() => file.sync())
    )
  )

const copyAll = (from: string, into: string, names: ReadonlyArray<string>) =>
  Effect.forEach(
    names,
    (name) =>
      // A file system that can share blocks needs no room for the copy.
      Effect.tryPromise(() => copyFile(`${from}/${name}`, `${into}/${name}`, constants.COPYFILE_FICLONE)).pipe(
        Effect.zipRight(flush(`${into}/${name}`))
      ),
    { discard: true }
  )

const removed = (path: string) => Effect.tryPromise(() => rm(path, { recursive: true, force: true }))

const refused = (message: string) => new DataFolderUnusable({ message })

/** The files to be copied, what they need in bytes, and what is free. */
const roomIn = Effect.fnUntraced(function* (folder: string) {
  const names = (yield* Effect.tryPromise(() => readdir(folder))).filter(isOfStores)
  const sizes = yield* Effect.forEach(names, (name) => Effect.tryPromise(() => stat(`${folder}/${name}`)))
  const { bavail, bsize } = yield* Effect.tryPromise(() => statfs(folder))
  return { names, needed: sizes.reduce((sum, { size }) => sum + size, 0), free: bavail * bsize }
})

/** Fails where the copy has no room; the message says what to do. */
const demandRoom = Effect.fnUntraced(function* (folder: string, needed: number, left: number) {
  if (left >= needed) return
  const [wanted, free] = [needed, left].map((bytes) => Math.ceil(bytes / megabyte))
  return yield* refused(
    `This version changes the data folder and copies it before, which needs ${wanted} MB in ${folder}; ${free} MB are free. ` +
      "Make room, or back it up elsewhere and start with --snapshot off. Nothing was changed"
  )
})

const make = Effect.fnUntraced(function* (files: DataFiles, found: FolderVersions) {
  const path = yield* Path.Path
  const folder = path.dirname(files.metadata)
  const snapshots = path.join(folder, folderName)
  const made = path.join(snapshots, snapshotName(found, yield* Clock.currentTimeMillis))
  const draft = path.join(snapshots, ".unfinished")
  const orRefused = Effect.mapError(({ error }: UnknownException) =>
    refused(
      `The data folder could not be copied into ${snapshots} before it is changed (${reasonOf(error)}). Nothing was changed`
    )
  )
  // What a start has left that was killed takes the room that this one needs.
  yield* orRefused(removed(draft))
  const { names, needed, free } = yield* orRefused(roomIn(folder))
  yield* demandRoom(folder, needed, free)
  yield* Effect.gen(function* () {
    yield* Effect.tryPromise(() => mkdir(draft, { recursive: true, mode: 0o700 }))
    yield* copyAll(folder, draft, names)
    yield* Effect.tryPromise(() => rename(draft, made))
    yield* Effect.tryPromise(() => writeFile(path.join(snapshots, upgrading), path.basename(made), { mode: 0o600 }))
    yield* flush(path.join(snapshots, upgrading))
    yield* flush(snapshots)
    const all = yield* Effect.tryPromise(() => readdir(snapshots))
    yield* Effect.forEach(superfluousSnapshots(all), (name) => removed(path.join(snapshots, name)), { discard: true })
  }).pipe(
    Effect.onError(() => Effect.ignore(removed(draft))),
    orRefused
  )
  yield* Effect.logInfo(
    `This version changes the data folder (schema ${found.schema}, format ${found.format}). Its files as they were are in ${made}`
  )
})

/**
 * The snapshot of an upgrade that failed, or was cut off, when it had brought one of both files forward. Each further attempt would push out what was
 * there before it, and leave nothing to go back to.
 */
const begunIn = Effect.fnUntraced(function* (files: DataFiles, found: FolderVersions) {
  const path = yield* Path.Path
  const snapshots = path.join(path.dirname(files.metadata), folderName)
  const note = path.join(snapshots, upgrading)
  if (!existsSync(note)) return null
  const name = readFileSync(note, "utf8")
  const names = yield* Effect.promise(() => readdir(snapshots))
  return isHalfUpgraded(name, names, found) ? path.join(snapshots, name) : null
})

/** Copies the files of a folder that this version is about to change, and keeps the newest copies. The folder must be locked. */
export const snapshotBefore = Effect.fnUntraced(function* (files: DataFiles) {
  const found = yield* versionsOf(files)
  if (!needsSnapshot(found, { schema: newestMigration, format: formatVersion })) return
  const begun = yield* begunIn(files, found)
  if (begun === null) return yield* make(files, found)
  yield* Effect.logInfo(
    `An upgrade did not come to its end, and goes on. The files as they were before it are in ${begun}`
  )
})

/** Notes that both files are brought forward: the next upgrade takes a snapshot of its own. */
export const upgraded = (files: DataFiles) =>
  Effect.flatMap(Path.Path, (path) =>
    Effect.ignoreLogged(removed(path.join(path.dirname(files.metadata), folderName, upgrading)))
  )
