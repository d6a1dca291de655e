import Database from "better-sqlite3"
import { Either } from "effect"
import { accessSync, constants, statfsSync } from "node:fs"
import { dirname } from "node:path"

/** What SQLite says where a disk has no room, the second one of the file that it makes even to read a database; and what the system says. */
const ofRoom: ReadonlySet<string> = new Set(["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "ENOSPC"])

/** What SQLite says of the content of a file, which is then to blame itself. */
const ofContent = /^SQLITE_(CORRUPT|NOTADB)/

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "unknown")

const refusalOf = (path: string, mode: number): string | null =>
  Either.match(
    Either.try(() => accessSync(path, mode)),
    { onLeft: codeOf, onRight: () => null }
  )

const denied = (path: string, mode: number, deed: string): string | null => {
  const refusal = refusalOf(path, mode)
  if (refusal === "EROFS") return `${path} is on a file system that is mounted read-only, and SQLite has to write`
  if (refusal === "ENOTDIR") return "a file is in its place, or in that of a folder above it"
  return refusal === null || refusal === "ENOENT" ? null : `this user cannot ${deed} ${path} (${refusal})`
}

const isFull = (folder: string): boolean =>
  Either.match(
    Either.try(() => statfsSync(folder)),
    { onLeft: () => false, onRight: ({ bavail }) => bavail === 0 }
  )

/**
 * What else than its content may keep SQLite from opening a file, in plain words: no permission, a file system that is read-only, no room.
 * Null where none of these shows. SQLite makes files beside a database even to read it.
 */
export const obstacleOf = (file: string, error: unknown): string | null => {
  const code = codeOf(error)
  if (ofContent.test(code)) return null
  const folder = dirname(file)
  const permission =
    denied(file, constants.R_OK, "read") ??
    denied(folder, constants.W_OK, "write into") ??
    denied(file, constants.W_OK, "write")
  if (permission !== null || code.startsWith("SQLITE_BUSY")) return permission
  return ofRoom.has(code) || isFull(folder) ? `there is no room on the disk of ${folder}` : null
}

/** The error of SQLite, or of a write to a disk without room, that is behind a failure. */
const driverErrorIn = (failure: unknown): Error | null => {
  if (!(failure instanceof Error)) return null
  const isIt = failure instanceof Database.SqliteError || ofRoom.has(codeOf(failure))
  return isIt ? failure : driverErrorIn(failure.cause)
}

/** Like `obstacleOf`, of what a driver's error may be wrapped in. */
export const obstacleIn = (file: string, failure: unknown): string | null => {
  const error = driverErrorIn(failure)
  return error === null ? null : obstacleOf(file, error)
}
