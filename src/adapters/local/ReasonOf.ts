/** What an operator can put right, by the system's or SQLite's name for it; the path is unknown where that does not say it. */
const clauses: Readonly<Record<string, (path: string | undefined) => string>> = {
  EACCES: (path) => `this user has no permission for ${path ?? "it"}`,
  EPERM: (path) => `this user has no permission for ${path ?? "it"}`,
  ENOENT: (path) => `there is no ${path ?? "such file or folder"}`,
  EROFS: (path) => `the file system of ${path ?? "it"} is mounted read-only`,
  ENOSPC: (path) => (path === undefined ? "the disk is full" : `the disk of ${path} is full`),
  SQLITE_FULL: () => "the disk is full",
  // Even to read a database SQLite makes a file beside it, of 32 KB.
  SQLITE_IOERR_SHMSIZE: () => "the disk is full",
  ENAMETOOLONG: () => "its path, or a name in it, is longer than paths may be here",
  ELOOP: (path) => `the links lead round in a circle in ${path ?? "its path"}`,
  EDQUOT: () => "the disk quota of this user is used up",
  ENOTDIR: (path) =>
    path === undefined ? "a file is in the place of a folder" : `a file is in the place of a folder in ${path}`
}

/** What keeps a file from being written, never from being read. */
const ofTarget: ReadonlySet<string> = new Set(["EROFS", "ENOSPC", "EDQUOT"])

const textAt = (error: Error, name: string): string | undefined => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" ? value : undefined
}

/** The path without what this program has made up itself: folders that are being written. */
const shownPath = (path: string | undefined): string | undefined => path?.replace(/[/\\]\.unfinished-.*$/s, "")

const inWords = (cause: unknown): string | undefined => {
  if (!(cause instanceof Error)) return undefined
  const code = textAt(cause, "code") ?? ""
  const clause = clauses[code]
  if (clause === undefined) return inWords(cause.cause)
  // Of a copy that does not fit both paths are told, and the file that is copied is not on the disk that is full.
  const path = (ofTarget.has(code) ? textAt(cause, "dest") : undefined) ?? textAt(cause, "path")
  return `${clause(shownPath(path))} (${code})`
}

/** What a driver or the system says of a failure, whatever it throws, with what was behind it; in plain words what an operator can put right. */
export const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const words = inWords(cause)
  if (words !== undefined) return words
  return cause.cause instanceof Error && cause.cause.message !== ""
    ? `${cause.message}: ${cause.cause.message}`
    : cause.message
}
