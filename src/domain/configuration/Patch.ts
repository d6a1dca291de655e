import { Either } from "effect"
import type { Document, Json, Path } from "./Document.ts"
import { get, isObject, remove, set } from "./Document.ts"

export type Change =
  | { readonly op: "set"; readonly path: Path; readonly value: Json }
  | { readonly op: "remove"; readonly path: Path }

export interface PatchFailure {
  readonly reason: "EmptyPath" | "NotAnObject"
  /** Where applying stopped: the change's path, or the part of it that is no object. */
  readonly path: Path
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
    if (get(current, parent) === undefined) current = set(current, parent, {})
  }
  return current
}

const perform = (document: Document, change: Change): Either.Either<Document, PatchFailure> => {
  if (change.path.length === 0) return Either.left({ reason: "EmptyPath", path: [] })
  if (change.op === "remove") return Either.right(remove(document, change.path))
  const blocked = obstacle(document, change.path)
  return blocked === null
    ? Either.right(set(withParents(document, change.path), change.path, change.value))
    : Either.left({ reason: "NotAnObject", path: blocked })
}

/**
 * Applies an editor's changes in order, all or none. `set` creates missing parents; removing a missing path is no
 * failure.
 */
export const apply = (document: Document, changes: ReadonlyArray<Change>): Either.Either<Document, PatchFailure> =>
  changes.reduce<Either.Either<Document, PatchFailure>>(
    (result, change) => Either.flatMap(result, (current) => perform(current, change)),
    Either.right(document)
  )
