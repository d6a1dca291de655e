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

/** Whether two experiments overlap in time. An end is exclusive. */
export const meet = (a: Pick<PathLock, "startsAt" | "endsAt">, b: Pick<PathLock, "startsAt" | "endsAt">): boolean =>
  a.startsAt < (b.endsAt ?? Infinity) && b.startsAt < (a.endsAt ?? Infinity)

/** The held paths of several locks as a tree. A lock is named by its place in the list; Infinity is none. */
interface Held {
  /** The first lock of a path that ends here. */
  ends: number
  /** The first lock of a path that ends here or further inside. */
  holds: number
  readonly children: Map<string, Held>
}

const nothing = (): Held => ({ ends: Infinity, holds: Infinity, children: new Map() })

const heldBy = (locks: ReadonlyArray<PathLock>): Held => {
  const root = nothing()
  for (const [index, { paths }] of locks.entries()) {
    for (const path of paths) {
      let node = root
      node.holds = Math.min(node.holds, index)
      for (const key of path) {
        const next = node.children.get(key) ?? nothing()
        node.children.set(key, next)
        node = next
        node.holds = Math.min(node.holds, index)
      }
      node.ends = Math.min(node.ends, index)
    }
  }
  return root
}

/** The first lock that holds the path, one that leads to it, or one inside it. */
const holder = (root: Held, path: Path): number => {
  let node = root
  let first = Infinity
  for (const key of path) {
    first = Math.min(first, node.ends)
    const next = node.children.get(key)
    if (next === undefined) return first
    node = next
  }
  return Math.min(first, node.holds)
}

/** Those of the paths that a lock holds when an editor changes the base. Planned experiments lock their paths too. */
export const lockedPaths = (
  locks: ReadonlyArray<PathLock>,
  configurationId: ConfigurationId,
  paths: ReadonlyArray<Path>
): ReadonlyArray<PathConflict> => {
  const own = locks.filter((lock) => lock.configurationId === configurationId)
  const held = heldBy(own)
  return paths.flatMap((path) => {
    const lock = own[holder(held, path)]
    return lock === undefined ? [] : [{ experimentId: lock.experimentId, path }]
  })
}

/** The first of them. */
export const lockedPath = (
  locks: ReadonlyArray<PathLock>,
  configurationId: ConfigurationId,
  paths: ReadonlyArray<Path>
): PathConflict | null => lockedPaths(locks, configurationId, paths)[0] ?? null

/** The first path of a new or prolonged experiment that another experiment locks at the same time. */
export const conflict = (locks: ReadonlyArray<PathLock>, wanted: PathLock): PathConflict | null =>
  lockedPath(
    locks.filter((lock) => lock.experimentId !== wanted.experimentId && meet(lock, wanted)),
    wanted.configurationId,
    wanted.paths
  )
