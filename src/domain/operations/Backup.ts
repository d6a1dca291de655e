import { Schema } from "effect"

/** The length of a file in bytes, and its SHA-256 in hexadecimal digits. */
export const Digest = Schema.Struct({ bytes: Schema.Number, sha256: Schema.String })
export type Digest = typeof Digest.Type

/** The rows of each table of a database, and `markers`, the markers of an event file, by name. */
export const Counts = Schema.Record({ key: Schema.String, value: Schema.Number })
export type Counts = typeof Counts.Type

/** One file of a backup: as it was, and as it is stored, compressed. */
const StoredFile = Schema.Struct({ original: Digest, stored: Digest, counts: Counts })

/** What a backup holds. It is written last, so that a backup without it is none. */
export const BackupManifest = Schema.Struct({
  /** The version of this list itself. */
  manifest: Schema.Literal(1),
  /** The version of the product that wrote the backup. */
  version: Schema.String,
  /** The instant of which both files are. */
  instant: Schema.DateTimeUtc,
  /** The random id of the installation; null: one of a version that knew none. */
  installation: Schema.NullOr(Schema.String),
  /** The newest migration of the metadata, and the format of the event file. */
  formats: Schema.Struct({ metadata: Schema.Number, events: Schema.Number }),
  /** What was damaged in the data folder already when it was backed up, in plain words. */
  damage: Schema.Array(Schema.String),
  files: Schema.Struct({ metadata: StoredFile, events: StoredFile })
})
export type BackupManifest = typeof BackupManifest.Type

const namePattern = /^gamekeeper-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z(-[\da-f]{12})?$/

/** The name of the backup of an instant (epoch milliseconds). Names sort by time. */
export const backupName = (instant: number): string =>
  `gamekeeper-${new Date(instant).toISOString().replaceAll(/[:.]/g, "-")}`

/**
 * The name of a backup among those of others, who may write one of the same instant at the same time: with twelve digits of what its files
 * hold, so that only a copy of it has the same name.
 */
export const nameAmongOthers = (name: string, { files }: BackupManifest): string =>
  `${name}-${files.metadata.stored.sha256.slice(0, 6)}${files.events.stored.sha256.slice(0, 6)}`

/** Whether a backup may have this name. */
export const isBackupName = (name: string): boolean => namePattern.test(name)

/** Clocks of machines that share a folder of backups may differ by this much (milliseconds). */
const toleranceMillis = 10 * 60_000

/** Whether the instant of a backup lies ahead of the clock (both epoch milliseconds), which one of the two clocks has wrong. */
export const isAhead = (instant: number, now: number): boolean => instant - now > toleranceMillis

/** The newest of what is sorted from the oldest on; what lies ahead of the clock is passed over. */
export const newestOf = <A>(sorted: ReadonlyArray<A>, instantOf: (backup: A) => number, now: number): A | undefined =>
  sorted.findLast((backup) => !isAhead(instantOf(backup), now))

/** A complete backup in a folder of backups. */
export interface KeptBackup {
  readonly name: string
  readonly installation: string | null
  /** Epoch milliseconds. */
  readonly instant: number
}

/**
 * The backups of the installation that are to be deleted, oldest first, so that its `keep` newest ones, at least one, stay. Others' stay, and
 * so do those that lie ahead of the clock (`now`, epoch milliseconds), which do not count among those kept.
 */
export const surplus = (
  backups: ReadonlyArray<KeptBackup>,
  installation: string | null,
  keep: number,
  now: number
): ReadonlyArray<string> => {
  const own = backups
    .filter((backup) => backup.installation === installation && !isAhead(backup.instant, now))
    .map(({ name }) => name)
    .sort()
  return own.slice(0, Math.max(0, own.length - Math.max(1, keep)))
}

/** The backups of the installation that lie ahead of the clock. */
export const backupsAhead = (
  backups: ReadonlyArray<KeptBackup>,
  installation: string | null,
  now: number
): ReadonlyArray<string> =>
  backups
    .filter((backup) => backup.installation === installation && isAhead(backup.instant, now))
    .map(({ name }) => name)

/** In what the counts of a copy differ from those of the original, in plain words; empty where they are equal. */
export const countDifferences = (original: Counts, copy: Counts): ReadonlyArray<string> =>
  [...new Set([...Object.keys(original), ...Object.keys(copy)])]
    .sort()
    .filter((name) => original[name] !== copy[name])
    .map((name) => `${name}: ${copy[name] ?? "none"} instead of ${original[name] ?? "none"}`)

/** Why this version cannot restore a backup of those formats, in plain words; null: it can. */
export const newerFormat = (written: BackupManifest["formats"], known: BackupManifest["formats"]): string | null => {
  if (written.metadata > known.metadata)
    return `Its metadata has schema ${written.metadata}, this version knows ${known.metadata}: upgrade gamekeeper`
  if (written.events > known.events)
    return `Its event file has format ${written.events}, this version knows ${known.events}: upgrade gamekeeper`
  return null
}
