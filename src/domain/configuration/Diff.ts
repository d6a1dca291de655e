import type { Document, Json, Path } from "./Document.ts"
import { equals, isObject } from "./Document.ts"

/** A change with the value it replaces; `previous` is missing where the path is new. */
export type DocumentChange =
  | { readonly op: "set"; readonly path: Path; readonly value: Json; readonly previous?: Json }
  | { readonly op: "remove"; readonly path: Path; readonly previous: Json }

const compareKey = (from: Document, to: Document, path: Path, key: string, changes: Array<DocumentChange>): void => {
  const [before, after] = [
    Object.hasOwn(from, key) ? from[key] : undefined,
    Object.hasOwn(to, key) ? to[key] : undefined
  ]
  if (before === after) return
  const at = [...path, key]
  if (after === undefined) {
    if (before !== undefined) changes.push({ op: "remove", path: at, previous: before })
  } else if (before === undefined) changes.push({ op: "set", path: at, value: after })
  else if (isObject(before) && isObject(after)) compare(before, after, at, changes)
  else if (!equals(before, after)) changes.push({ op: "set", path: at, value: after, previous: before })
}

const compare = (from: Document, to: Document, path: Path, changes: Array<DocumentChange>): void => {
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) compareKey(from, to, path, key, changes)
}

/** The changes that turn `from` into `to`, one for each value that differs. Arrays are replaced as a whole. */
export const diff = (from: Document, to: Document): ReadonlyArray<DocumentChange> => {
  const changes: Array<DocumentChange> = []
  compare(from, to, [], changes)
  return changes
}
