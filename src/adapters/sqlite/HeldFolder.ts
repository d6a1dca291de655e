import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Clock, Duration, Effect, Option } from "effect"
import { hostname } from "node:os"
import { heldFile, isHeldElsewhere, locked } from "./FileLock.ts"

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

/**
 * Holds a folder until the effect that it answers has run, or the scope closes: others can tell that a process works in it. Where the file
 * system keeps no locks, time has to tell. To let go leaves nothing of this in the folder.
 */
export const holdFolder = Effect.fnUntraced(function* (folder: string) {
  const { letGo } = yield* heldFile(yield* lockOf(folder))
  return { letGo } as const
})

type Holder = "none" | "there" | "unknown"

/** Whether the process that has made the folder is there; unknown of one on another machine. */
const holderOf = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const lock = yield* lockOf(folder)
  if (!(yield* files.exists(lock))) return "unknown"
  return yield* Effect.matchEffect(locked(lock), {
    onFailure: ({ error }) =>
      Effect.map(isHeldElsewhere(folder, error), (isHeld): Holder => (isHeld ? "there" : "unknown")),
    onSuccess: (open) =>
      Effect.sync((): Holder => {
        open.close()
        return "none"
      })
  })
})

const isOld = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const now = yield* Clock.currentTimeMillis
  const changedAt = Option.getOrElse((yield* files.stat(folder)).mtime, () => new Date(now))
  return now - changedAt.getTime() > Duration.toMillis(abandonedAfter)
})

const isGone = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "NotFound"

/** Removes a folder whose process has ended, or, where nothing tells of that, one that has not changed for a day. Another process may do so first. */
export const removeIfAbandoned = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  // Before its lock is tried, for that changes the folder.
  const isLongAgo = yield* Effect.catchIf(isOld(folder), isGone, () => Effect.succeed(false))
  const holder = yield* holderOf(folder)
  if (holder === "none" || (holder === "unknown" && isLongAgo))
    yield* files.remove(folder, { recursive: true, force: true })
})
