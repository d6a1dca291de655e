import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import type Database from "better-sqlite3"
import { Clock, Duration, Effect, Either, Option } from "effect"
import { hostname } from "node:os"
import { isMissing } from "../node/Folders.ts"
import { canLock, heldFile, isHeldElsewhere, lockedIfThere } from "./FileLock.ts"

/**
 * The file in a folder on its way that its process has locked. The system drops the lock when the process ends, however it ends. It bears the name of
 * the machine, because some network shares keep locks of one machine only: to another one every file looks unlocked.
 */
const lockName = `.in-use-${encodeURIComponent(hostname())}`

/**
 * After this time a folder without a lock of this machine, as older versions, other machines and file systems that keep no locks leave it, is what a
 * killed process has left.
 */
const abandonedAfter = Duration.days(1)

const lockOf = (folder: string) => Effect.map(Path.Path, (path) => path.join(folder, lockName))

/** How often a folder is made anew that another process has taken for one of a killed process before its lock was there. */
const repeats = 5

const made = Effect.fnUntraced(function* <R>(make: Effect.Effect<string, PlatformError, R>) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* Effect.acquireRelease(make, (each) =>
    Effect.ignore(files.remove(each, { recursive: true, force: true }))
  )
  const { lock, letGo } = yield* heldFile(yield* lockOf(folder))
  // Before the folder is removed: what nobody has locked any more, others would remove at the same time.
  yield* Effect.addFinalizer(() => letGo)
  const isSettled = Either.isRight(lock) || !(yield* canLock(path.dirname(folder)))
  return { folder, letGo, isSettled }
})

/**
 * Makes a folder, and has it until the scope closes, which removes it: others can tell that a process works in it. Where the file system keeps no
 * locks, time has to tell. `letGo` leaves nothing of this in the folder, which may be renamed then, and stays.
 */
export const heldFolder = <R>(make: Effect.Effect<string, PlatformError, R>) =>
  Effect.repeat(made(make), { until: ({ isSettled }) => isSettled, times: repeats })

const isOld = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const now = yield* Clock.currentTimeMillis
  const changedAt = Option.getOrElse((yield* files.stat(folder)).mtime, () => new Date(now))
  return now - changedAt.getTime() > Duration.toMillis(abandonedAfter)
})

/** Windows removes no file that is open. */
const removeLocked = Effect.fnUntraced(function* (folder: string, lock: Database.Database) {
  const files = yield* FileSystem.FileSystem
  const removed = files.remove(folder, { recursive: true, force: true })
  yield* Effect.catchAll(removed, () =>
    Effect.zipRight(
      Effect.sync(() => lock.close()),
      removed
    )
  )
})

/**
 * Removes a folder whose process has ended, or, where nothing tells of that, one that has not changed for a day. Nothing is written into it, and it
 * stays locked while it is removed: its process may just be making it, and finds out then.
 */
export const removeIfAbandoned = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const isLongAgo = yield* Effect.catchIf(isOld(folder), isMissing, () => Effect.succeed(false))
  const file = yield* lockOf(folder)
  const removed = Effect.when(files.remove(folder, { recursive: true, force: true }), () => isLongAgo)
  if (!(yield* files.exists(file))) return void (yield* removed)
  const lock = yield* Effect.acquireRelease(Effect.either(lockedIfThere(file)), (each) =>
    Effect.sync(() => Either.map(each, (open) => open.close()))
  )
  if (Either.isRight(lock)) yield* removeLocked(folder, lock.right)
  else if (!(yield* isHeldElsewhere(path.dirname(folder), lock.left.error))) yield* removed
}, Effect.scoped)
