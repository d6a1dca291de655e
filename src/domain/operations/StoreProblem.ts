/** What can keep a store from doing its work. Operators' tools compare these codes, so a code keeps its meaning. */
export const problemCodes = [
  "STORAGE_FULL",
  "STORE_UNWRITABLE",
  "STORE_SILENT",
  "FILE_REPLACED",
  "STORE_DAMAGED",
  "DISK_LOW",
  "DATA_LOST"
] as const

export type ProblemCode = (typeof problemCodes)[number]

/** `log`: where markers are first stored, if that is apart from the store that answers questions. */
export const storeNames = ["metadata", "log", "events"] as const

export type StoreName = (typeof storeNames)[number]

/** Unavailable: the server should get no requests. Degraded: it works, but something that it should have is missing. */
export const severities = ["unavailable", "degraded"] as const

export type Severity = (typeof severities)[number]

/** One thing that is wrong with a store, or with the disk under both (`store` is null). */
export interface StoreProblem {
  readonly code: ProblemCode
  readonly store: StoreName | null
  readonly severity: Severity
  /** What is wrong and what helps, in words for the operator. It names no path, id or text of any organization. */
  readonly message: string
}

const files: Readonly<Record<StoreName, string>> = {
  metadata: "metadata.sqlite",
  log: "The log of markers",
  events: "events.sqlite"
}

const fileOf = (store: StoreName): string => files[store]

const unavailable = (code: ProblemCode, store: StoreName | null, message: string): StoreProblem => ({
  code,
  store,
  severity: "unavailable",
  message
})

/** The disk refuses a write for want of space. */
export const storageFull = (store: StoreName): StoreProblem =>
  unavailable("STORAGE_FULL", store, `${fileOf(store)} takes no write, because the disk is full: free some space`)

/** A write was refused for another reason than space. */
export const unwritable = (store: StoreName, reason: string): StoreProblem =>
  unavailable("STORE_UNWRITABLE", store, `${fileOf(store)} takes no write: ${reason}`)

/** The database of several servers cannot be used. */
export const databaseUnusable = (reason: string): StoreProblem =>
  unavailable("STORE_UNWRITABLE", "metadata", `The database of the metadata cannot be used: ${reason}`)

/** No answer came within so many seconds. */
export const silent = (store: StoreName, seconds: number): StoreProblem =>
  unavailable("STORE_SILENT", store, `${fileOf(store)} has not taken a write for ${seconds} seconds`)

/** The path no longer leads to the file that the server has open, so that what it writes is in no file that anybody finds. */
export const fileReplaced = (store: StoreName): StoreProblem =>
  unavailable(
    "FILE_REPLACED",
    store,
    `${fileOf(store)} was removed or replaced while the server has it open: stop the server and put the file back`
  )

/** A start has found acknowledged data to be missing, and no human has accepted it yet. */
export const dataLost: StoreProblem = {
  code: "DATA_LOST",
  store: null,
  severity: "degraded",
  message:
    "Data that were acknowledged are missing, as the last start has found: the command doctor lists them, put back both files of one backup or go on without them by doctor --accept"
}

/** Parts of the store that cannot be read and are left out of answers; nothing where there are none. */
export const damagedParts = (store: StoreName, parts: number): ReadonlyArray<StoreProblem> =>
  parts === 0
    ? []
    : [
        {
          code: "STORE_DAMAGED",
          store,
          severity: "degraded",
          message: `${fileOf(store)} is damaged in ${parts} places, which the log names: restore a backup, or go on without what they held`
        }
      ]

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`

/** Free space below the least that was asked for; nothing where it is not known (null). Both in bytes. */
export const lowDisk = (freeBytes: number | null, leastBytes: number): ReadonlyArray<StoreProblem> =>
  freeBytes === null || freeBytes >= leastBytes
    ? []
    : [
        unavailable(
          "DISK_LOW",
          null,
          `Only ${megabytes(freeBytes)} of disk are free, less than the ${megabytes(leastBytes)} of --min-free-mb`
        )
      ]

/** Where markers have a log of their own, the server takes them in while nobody can ask about them. */
const besideLog = (problem: StoreProblem): StoreProblem =>
  problem.store === "events" ? { ...problem, severity: "degraded" } : problem

/**
 * What `/ready` answers: the worst of the problems, which stores can be used, and every problem. `isLogApart`: whether markers are stored
 * in a log of their own first, without which the server does not work, while it does without the store that answers questions.
 */
export const readinessOf = (found: ReadonlyArray<StoreProblem>, isLogApart = false) => {
  const isUsable = (name: StoreName) =>
    found.every(({ severity, store }) => severity !== "unavailable" || store !== name)
  const problems = isLogApart ? found.map(besideLog) : found
  const isUnavailable = problems.some(({ severity }) => severity === "unavailable")
  const status = isUnavailable ? "unavailable" : problems.length > 0 ? "degraded" : "ready"
  const log = isLogApart ? { log: isUsable("log") } : {}
  return { status, stores: { metadata: isUsable("metadata"), ...log, events: isUsable("events") }, problems } as const
}
