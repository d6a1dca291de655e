import { Either } from "effect"
import type { Operation } from "../../../src/domain/configuration/Changeset.ts"
import type { Document, Json, Path } from "../../../src/domain/configuration/Document.ts"
import { get, isObject } from "../../../src/domain/configuration/Document.ts"
import type { Change, PatchFailure } from "../../../src/domain/configuration/Patch.ts"
import type { PathConflict, PathLock } from "../../../src/domain/experiments/PathLock.ts"
import type { ConfigurationId } from "../../../src/domain/Ids.ts"

// Changes of documents by definition: one after the other, each over the whole document. What the server uses takes one pass for all
// and must agree.

const own = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** Whether the object that contains the path's last key exists. The empty path has no parent. */
export const hasParent = (document: Document, path: Path): boolean =>
  path.length > 0 && isObject(get(document, path.slice(0, -1)))

const withKey = (document: Document, key: string, value: Json): Document =>
  Object.fromEntries(
    Object.hasOwn(document, key)
      ? Object.entries(document).map(([name, former]) => [name, name === key ? value : former])
      : [...Object.entries(document), [key, value]]
  )

const withoutKey = (document: Document, key: string): Document =>
  Object.hasOwn(document, key)
    ? Object.fromEntries(Object.entries(document).filter(([name]) => name !== key))
    : document

const change = (document: Document, path: Path, replace: (parent: Document, key: string) => Document): Document => {
  const [key, ...rest] = path
  if (key === undefined) return document
  if (rest.length === 0) return replace(document, key)
  const child = own(document, key)
  if (!isObject(child)) return document
  const changed = change(child, rest, replace)
  return changed === child ? document : withKey(document, key, changed)
}

/** Sets the value at a path. Returns the same object if the parent is missing or no object, or the path is empty. */
export const simpleSet = (document: Document, path: Path, value: Json): Document =>
  change(document, path, (parent, key) => withKey(parent, key, value))

/** Deletes a path. Returns the same object if the path is missing or empty. */
export const simpleRemove = (document: Document, path: Path): Document => change(document, path, withoutKey)

const perform = (document: Document, operation: Operation): Document =>
  operation.op === "delete"
    ? simpleRemove(document, operation.path)
    : simpleSet(document, operation.path, operation.value)

/** What `Changeset.apply` does. */
export const simpleApply = (document: Document, operations: ReadonlyArray<Operation>): Document =>
  operations.reduce(perform, document)

const isLost = (document: Document, operation: Operation): boolean =>
  operation.op === "delete" ? get(document, operation.path) === undefined : !hasParent(document, operation.path)

/** What `Changeset.lostPaths` finds. */
export const simpleLostPaths = (document: Document, operations: ReadonlyArray<Operation>): ReadonlyArray<Path> => {
  const lost: Array<Path> = []
  operations.reduce((current, operation) => {
    if (operation.path.length > 0 && isLost(current, operation)) lost.push(operation.path)
    return perform(current, operation)
  }, document)
  return lost
}

const obstacle = (document: Document, path: Path): Path | null => {
  for (let length = 1; length < path.length; length++) {
    const value = get(document, path.slice(0, length))
    if (value === undefined) return null
    if (!isObject(value)) return path.slice(0, length)
  }
  return null
}

const withParents = (document: Document, path: Path): Document => {
  let current = document
  for (let length = 1; length < path.length; length++) {
    const parent = path.slice(0, length)
    if (get(current, parent) === undefined) current = simpleSet(current, parent, {})
  }
  return current
}

const patchOnce = (document: Document, change: Change): Either.Either<Document, PatchFailure> => {
  if (change.path.length === 0) return Either.left({ reason: "EmptyPath", path: [] })
  if (change.op === "remove") return Either.right(simpleRemove(document, change.path))
  const blocked = obstacle(document, change.path)
  return blocked === null
    ? Either.right(simpleSet(withParents(document, change.path), change.path, change.value))
    : Either.left({ reason: "NotAnObject", path: blocked })
}

/** What `Patch.apply` does. */
export const simplePatch = (
  document: Document,
  changes: ReadonlyArray<Change>
): Either.Either<Document, PatchFailure> =>
  changes.reduce<Either.Either<Document, PatchFailure>>(
    (result, change) => Either.flatMap(result, (current) => patchOnce(current, change)),
    Either.right(document)
  )

/** Whether the paths are equal or one lies inside the other. */
export const overlap = (a: Path, b: Path): boolean => {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  return shorter.every((key, index) => key === longer[index])
}

/** What `lockedPath` finds. */
export const simpleLockedPath = (
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
