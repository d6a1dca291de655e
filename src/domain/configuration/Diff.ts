import type { Document, Json, Path } from "./Document.ts"
import { equals, isObject } from "./Document.ts"

/** A change with the value it replaces; `previous` is missing where the path is new. */
export type DocumentChange =
  | { readonly op: "set"; readonly path: Path; readonly value: Json; readonly previous?: Json }
  | { readonly op: "remove"; readonly path: Path; readonly previous: Json }

const compareKey = (from: Document, to: Document, path: Path, key: string, changes: Array<DocumentChange>): void => {
  const before = from[key]!
  if (!Object.hasOwn(to, key)) {
    changes.push({ op: "remove", path: [...path, key], previous: before })
    return
  }
  const after = to[key]!
  if (before === after) return
  if (isObject(before) && isObject(after)) compare(before, after, [...path, key], changes)
  else if (!equals(before, after)) changes.push({ op: "set", path: [...path, key], value: after, previous: before })
}

/** Keys that both have, or only the first, in its order; then those that only the second has. Most keys of large documents do not differ. */
const compare = (from: Document, to: Document, path: Path, changes: Array<DocumentChange>): void => {
  for (const key of Object.keys(from)) compareKey(from, to, path, key, changes)
  for (const key of Object.keys(to)) {
    if (!Object.hasOwn(from, key)) changes.push({ op: "set", path: [...path, key], value: to[key]! })
  }
}

/** The changes that turn `from` into `to`, one for each value that differs. Arrays are replaced as a whole. */
export const diff = (from: Document, to: Document): ReadonlyArray<DocumentChange> => {
  const changes: Array<DocumentChange> = []
  compare(from, to, [], changes)
  return changes
}
