import type { Document, Json, Path } from "./Document.ts"
import { equals, isObject } from "./Document.ts"

/** A change with the value it replaces; `previous` is missing where the path is new. */
export type DocumentChange =
  | { readonly op: "set"; readonly path: Path; readonly value: Json; readonly previous?: Json }
  | { readonly op: "remove"; readonly path: Path; readonly previous: Json }

const ofKey = (from: Document, to: Document, path: Path, key: string): ReadonlyArray<DocumentChange> => {
  const [before, after] = [
    Object.hasOwn(from, key) ? from[key] : undefined,
    Object.hasOwn(to, key) ? to[key] : undefined
  ]
  const at = [...path, key]
  if (after === undefined) return before === undefined ? [] : [{ op: "remove", path: at, previous: before }]
  if (before === undefined) return [{ op: "set", path: at, value: after }]
  if (isObject(before) && isObject(after)) return between(before, after, at)
  return equals(before, after) ? [] : [{ op: "set", path: at, value: after, previous: before }]
}

const between = (from: Document, to: Document, path: Path): ReadonlyArray<DocumentChange> =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) => ofKey(from, to, path, key))

/** The changes that turn `from` into `to`, one for each value that differs. Arrays are replaced as a whole. */
export const diff = (from: Document, to: Document): ReadonlyArray<DocumentChange> => between(from, to, [])
