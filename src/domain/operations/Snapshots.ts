/** What versions a data folder's files have; 0 where a file is not there or empty. */
export interface FolderVersions {
  /** The newest migration of the metadata. */
  readonly schema: number
  /** The format of the event file. */
  readonly format: number
}

/** Snapshots that stay when another one is made. */
export const keptSnapshots = 2

/** Whether a start with these newest versions changes files that have something in them. */
export const needsSnapshot = (found: FolderVersions, newest: FolderVersions): boolean =>
  (found.schema > 0 && found.schema < newest.schema) || (found.format > 0 && found.format < newest.format)

/** The name of a snapshot of that time (epoch ms); names are ordered by their times. */
export const snapshotName = ({ schema, format }: FolderVersions, at: number): string =>
  `${new Date(at).toISOString().replaceAll(/[:.]/g, "-")}-schema-${schema}-format-${format}`

const named = /^\d{4}-\d\d-\d\dT[\d-]+Z-schema-(\d+)-format-(\d+)$/

/** Of the names in a folder of snapshots, those of snapshots, oldest first. */
const snapshotsAmong = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => named.test(name)).sort()

/** Those of snapshots that are too many, oldest first. */
export const superfluousSnapshots = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  snapshotsAmong(names).slice(0, -keptSnapshots)

/**
 * Whether the files are those of a snapshot, of which an upgrade that did not come to its end has brought one forward: no version has served them
 * since, for an older one refuses the newer file. `names` are those in the folder of snapshots: an upgrade that came later has made a newer one.
 */
export const isHalfUpgraded = (snapshot: string, names: ReadonlyArray<string>, found: FolderVersions): boolean => {
  const [, schema, format] = named.exec(snapshot) ?? []
  if (schema === undefined || format === undefined || snapshot !== snapshotsAmong(names).at(-1)) return false
  const [ofSchema, ofFormat] = [found.schema - Number(schema), found.format - Number(format)]
  return ofSchema >= 0 && ofFormat >= 0 && ofSchema + ofFormat > 0
}
