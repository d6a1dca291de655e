import Database from "better-sqlite3"
import { Either, Option } from "effect"
import { accessSync, constants, lstatSync, statfsSync, statSync } from "node:fs"
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
  if (refusal === "ELOOP") return `the links at ${path} lead round in a circle`
  if (refusal === "ENOTDIR") return "a file is in its place, or in that of a folder above it"
  return refusal === null || refusal === "ENOENT" ? null : `this user cannot ${deed} ${path} (${refusal})`
}

/** A database, and what SQLite keeps beside it, without which it does not open it. */
const filesOf = (file: string): ReadonlyArray<string> => [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]

/** What else than a file is in the place of one; null where a file is there, or nothing. */
const misplaced = (path: string): string | null => {
  const found = Either.try(() => statSync(path, { throwIfNoEntry: false }))
  if (Either.isLeft(found)) return null
  if (found.right !== undefined) {
    if (found.right.isFile()) return null
    return `${path} is ${found.right.isDirectory() ? "a folder" : "no file"}, where a file of the server belongs: move it away`
  }
  const isLink = Option.exists(
    Option.liftThrowable(lstatSync)(path, { throwIfNoEntry: false }),
    (entry) => entry?.isSymbolicLink() === true
  )
  return isLink ? `${path} is a link to what is not there` : null
}

const firstOf = (paths: ReadonlyArray<string>, find: (path: string) => string | null): string | null =>
  paths.reduce<string | null>((found, path) => found ?? find(path), null)

/** What keeps this user from reading a database, or what SQLite keeps beside it, before anybody has tried to. */
export const obstacleToRead = (file: string): string | null =>
  firstOf(filesOf(file), (path) => misplaced(path) ?? denied(path, constants.R_OK, "read"))

/** The same of writing it, which a server does. */
export const obstacleToWrite = (file: string): string | null =>
  obstacleToRead(file) ?? firstOf(filesOf(file), (path) => denied(path, constants.W_OK, "write"))

/** Whether a file or folder is on a file system that is mounted read-only. */
export const isMountedReadOnly = (path: string): boolean => refusalOf(path, constants.W_OK) === "EROFS"

const isFull = (folder: string): boolean =>
  Either.match(
    Either.try(() => statfsSync(folder)),
    { onLeft: () => false, onRight: ({ bavail }) => bavail === 0 }
  )

/**
 * What else than its content may keep SQLite from opening a file, in plain words: what is no file, no permission, a file system that is read-only,
 * no room.
 * Null where none of these shows. SQLite makes files beside a database even to read it.
 */
export const obstacleOf = (file: string, error: unknown): string | null => {
  const code = codeOf(error)
  if (ofContent.test(code)) return null
  const folder = dirname(file)
  const permission = obstacleToRead(file) ?? denied(folder, constants.W_OK, "write into") ?? obstacleToWrite(file)
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
