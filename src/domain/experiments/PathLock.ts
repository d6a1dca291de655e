import type { Changeset } from "../configuration/Changeset.ts"
import type { Path } from "../configuration/Document.ts"
import type { ConfigurationId, ExperimentId } from "../Ids.ts"

/**
 * The paths of the base configuration that a running or planned experiment locks, from its start to its end (null: open
 * end).
 */
export interface PathLock {
  readonly experimentId: ExperimentId
  readonly configurationId: ConfigurationId
  readonly paths: ReadonlyArray<Path>
  readonly startsAt: number
  readonly endsAt: number | null
}

export interface PathConflict {
  readonly experimentId: ExperimentId
  readonly path: Path
}

/** Every path that any of the changesets sets or deletes, each once. The empty path touches nothing. */
export const touchedPaths = (changesets: ReadonlyArray<Changeset>): ReadonlyArray<Path> => {
  const paths = changesets.flatMap(({ operations }) => operations.map(({ path }) => path))
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]))
  return [...distinct.values()].filter((path) => path.length > 0)
}

/** Whether the paths are equal or one lies inside the other. */
export const overlap = (a: Path, b: Path): boolean => {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  return shorter.every((key, index) => key === longer[index])
}

/** Whether two experiments overlap in time. An end is exclusive. */
export const meet = (a: Pick<PathLock, "startsAt" | "endsAt">, b: Pick<PathLock, "startsAt" | "endsAt">): boolean =>
  a.startsAt < (b.endsAt ?? Infinity) && b.startsAt < (a.endsAt ?? Infinity)

/**
 * The first of the paths that a lock holds when an editor changes the base at `now` (epoch ms). Planned experiments
 * lock their paths too.
 */
export const lockedPath = (
  locks: ReadonlyArray<PathLock>,
  configurationId: ConfigurationId,
  paths: ReadonlyArray<Path>
): PathConflict | null => {
  for (const path of paths) {
    const lock = locks.find(
      (lock) => lock.configurationId === configurationId && lock.paths.some((held) => overlap(held, path))
    )
    if (lock !== undefined) return { experimentId: lock.experimentId, path }
  }
  return null
}

/** The first path of a new or prolonged experiment that another experiment locks at the same time. */
export const conflict = (locks: ReadonlyArray<PathLock>, wanted: PathLock): PathConflict | null =>
  lockedPath(
    locks.filter((lock) => lock.experimentId !== wanted.experimentId && meet(lock, wanted)),
    wanted.configurationId,
    wanted.paths
  )
