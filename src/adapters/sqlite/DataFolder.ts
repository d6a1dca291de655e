import { FileSystem, Path } from "@effect/platform"
import { isPlatformError } from "@effect/platform/Error"
import { Cause, Data, Effect, Layer, Option, Schedule } from "effect"
import { isBackupName } from "../../domain/operations/Backup.ts"
import { reasonOf } from "../local/ReasonOf.ts"
import { isMissing, makeFolder } from "../node/Folders.ts"
import { canLock, isBusy, isHeldElsewhere, locked, lookedAt } from "./FileLock.ts"
import { obstacleIn, obstacleOf } from "./Obstacle.ts"

/** The data folder cannot be used. `message` is one line for the operator. */
export class DataFolderUnusable extends Data.TaggedError("DataFolderUnusable")<{ readonly message: string }> {}

/** The paths of both databases of a data folder. */
export interface DataFiles {
  readonly metadata: string
  readonly events: string
}

/** Where the databases of a folder are, whether or not they are there. */
export const dataFilesIn = (folder: string): Effect.Effect<DataFiles, never, Path.Path> =>
  Effect.map(Path.Path, (path) => ({
    metadata: path.join(folder, "metadata.sqlite"),
    events: path.join(folder, "events.sqlite")
  }))

/** Fails where no server has ever had the data folder: whoever reads it has mistyped it. */
export const demandDataFolder = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const { metadata } = yield* dataFilesIn(folder)
  if (yield* files.exists(metadata)) return
  return yield* new DataFolderUnusable({
    message: `There is no data folder ${folder}: --data names that of the server`
  })
})

/** How long a lock is waited for that another process has: commands for people, and those that look whether a server runs, have it for a moment. */
const waits = Schedule.spaced("50 millis").pipe(Schedule.upTo("2 seconds"))

/** Why a folder cannot be made or looked into; null where another program than the system says it. */
const reasonInWords = (error: unknown): string | null => {
  if (!isPlatformError(error)) return null
  // All folders above it are there or were just made: the system says this of links among them, and of places such as /proc.
  return isMissing(error)
    ? "no folder can be made there, or a link in its path leads to what is not there"
    : reasonOf(error)
}

/** A lock that this process may not write looks as if another one had it: what keeps it from writing is said first. */
const unusable = Effect.fnUntraced(function* (folder: string, file: string, error: unknown) {
  const obstacle = obstacleOf(file, error) ?? reasonInWords(error)
  if (obstacle !== null)
    return new DataFolderUnusable({ message: `The data folder ${folder} cannot be written: ${obstacle}` })
  if (!(yield* canLock(folder))) {
    return new DataFolderUnusable({
      message: `The data folder ${folder} is on a file system that keeps no locks, as some network shares do not, and two servers would spoil it: name a folder on a disk of this machine, or mount the share with locks`
    })
  }
  return new DataFolderUnusable({
    message: isBusy(error)
      ? `Another gamekeeper uses the data folder ${folder}: stop it first`
      : `The data folder ${folder} cannot be written: ${reasonOf(error)}`
  })
})

/** Bits of a file's mode that let other users of the machine in. */
const openToOthers = 0o077

const ownDatabase = /^(metadata|events)\.sqlite/

const ownFile = /^(lock|(metadata|events)\.sqlite(-wal|-shm|-journal)?)$/

/** Names of the files of this server in its folder. */
export const ownFiles = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  return (yield* files.readDirectory(folder)).filter((name) => ownFile.test(name))
})

/** What the server and its commands put into a data folder, and what a file system puts into each of its own. */
const ownName =
  /^(lock(-journal)?|(metadata|events)\.sqlite(-[\w-]+)?|snapshots|repairing|(restoring|replaced)-.+|lost\+found)$/

/** Something in the folder that is not the server's, if there is any: then the folder is not for the server to close, as `/tmp` or `/srv` are not. */
export const strangerIn = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  return Option.fromNullable((yield* files.readDirectory(folder)).find((name) => !ownName.test(name)))
})

const isOpenToOthers = Effect.fnUntraced(function* (path: string) {
  const { mode } = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.stat(path))
  return (mode & openToOthers) !== 0
})

/**
 * The files of this server, and its folder where nobody else has anything in it, that other users of the machine can open. They hold password hashes and
 * players' data.
 */
export const filesOpenToOthers = Effect.fnUntraced(function* (folder: string) {
  const path = yield* Path.Path
  const stranger = yield* strangerIn(folder)
  const own = (yield* ownFiles(folder)).map((name) => path.join(folder, name))
  return yield* Effect.filter(Option.isSome(stranger) ? own : [folder, ...own], isOpenToOthers)
})

/** Takes the other users' rights away from a folder that an older version, or somebody else, has made for the server alone, and from its files. */
const closeToOthers = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const stranger = yield* strangerIn(folder)
  if (Option.isSome(stranger) && (yield* isOpenToOthers(folder))) {
    yield* Effect.logWarning(
      `The data folder ${folder} holds other things too, such as ${stranger.value}, so its permissions are left as they are: a folder of its own, which --data names, is closed to other users of this machine`
    )
  }
  for (const each of yield* filesOpenToOthers(folder)) yield* files.chmod(each, each === folder ? 0o700 : 0o600)
})

/** Whether another process has the folder, such as a running server. */
export const isFolderInUse = (folder: string): Effect.Effect<boolean, never, Path.Path | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = (yield* Path.Path).join(folder, "lock")
    if (!(yield* files.exists(file))) return false
    return yield* Effect.matchEffect(lookedAt(file), {
      onFailure: ({ error }) =>
        obstacleOf(file, error) === null ? isHeldElsewhere(folder, error) : Effect.succeed(false),
      onSuccess: () => Effect.succeed(false)
    })
  }).pipe(Effect.orElseSucceed(() => false))

/** Refuses a folder of backups, which somebody has named in place of the folder for the databases. */
const refuseBackups = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const names = yield* Effect.orElseSucceed(files.readDirectory(folder), () => [])
  if (names.some((name) => ownDatabase.test(name)) || !names.some(isBackupName)) return
  return yield* new DataFolderUnusable({
    message: `${folder} holds backups and no databases: name a folder of its own for the databases`
  })
})

/**
 * Creates the folder, unless it is one of backups, and locks it for this process until the scope closes. The operating system drops the lock when the
 * process ends, however it ends.
 */
export const acquireDataFolder = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const lockFile = path.join(folder, "lock")
  yield* refuseBackups(folder)
  yield* makeFolder(path.resolve(folder)).pipe(
    Effect.zipRight(files.access(folder, { readable: true, writable: true })),
    Effect.catchAll((error) => Effect.flip(unusable(folder, lockFile, error)))
  )
  yield* Effect.acquireRelease(
    locked(lockFile).pipe(
      Effect.retry({ schedule: waits, while: ({ error }) => isBusy(error) && obstacleOf(lockFile, error) === null }),
      Effect.catchAll(({ error }) => Effect.flip(unusable(folder, lockFile, error)))
    ),
    (database) => Effect.sync(() => database.close())
  )
  yield* closeToOthers(folder).pipe(
    Effect.catchAll(() =>
      Effect.logWarning(`Other users of this machine can open files in ${folder}: their permissions cannot be changed`)
    )
  )
  return yield* dataFilesIn(folder)
})

/**
 * Stores in the folder, whose opening says of a defect that the operator can put right, such as a disk that fills meanwhile, what it is and where:
 * SQLite says of it "database or disk is full" alone.
 */
export const orUnusable =
  ({ metadata }: DataFiles) =>
  <A, E, R>(stores: Layer.Layer<A, E, R>) =>
    Layer.catchAllCause(stores, (cause): Layer.Layer<A, E | DataFolderUnusable> => {
      const defect = Option.getOrNull(Cause.dieOption(cause))
      const obstacle = obstacleIn(metadata, defect)
      if (obstacle === null) return Layer.failCause(cause)
      return Layer.fail(new DataFolderUnusable({ message: `The stores cannot be opened: ${obstacle}` }))
    })
