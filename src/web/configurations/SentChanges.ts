import type { DocumentChange } from "../../domain/configuration/Diff.ts"
import type { Document, Path } from "../../domain/configuration/Document.ts"
import { get } from "../../domain/configuration/Document.ts"

type KeyPath = readonly [string, ...ReadonlyArray<string>]

/** The path as the API takes it: the root itself is never changed. */
export const keyPath = ([first = "", ...rest]: Path): KeyPath => [first, ...rest]

/** What the API takes in one request: changes, keys of a path, and characters of a key. */
const most = { changes: 1000, keys: 32, characters: 256 } as const

/** How many keys of the path the API takes: one that has a name too long, or none, can be changed as a part of what is around it alone. */
const keysTaken = (path: Path): number => {
  const refused = path.findIndex((key) => key === "" || key.length > most.characters)
  return refused > 0 ? refused : path.length
}

/** The changes, those that lie deeper than so many keys as one change of all that `next` has there. */
const within = (
  changes: ReadonlyArray<DocumentChange>,
  next: Document,
  keys: number
): ReadonlyArray<DocumentChange> => {
  const found = new Map<string, DocumentChange>()
  for (const change of changes) {
    const path = change.path.slice(0, Math.min(keys, keysTaken(change.path)))
    const value = path.length < change.path.length ? get(next, path) : undefined
    found.set(JSON.stringify(path), value === undefined ? change : { op: "set", path, value })
  }
  return [...found.values()]
}

/** The changes that make `next` of a document, as the API takes them: those of many values are made of what is around these. */
export const sentChanges = (changes: ReadonlyArray<DocumentChange>, next: Document) => {
  const deepest = changes.reduce((keys, { path }) => Math.max(keys, path.length), 1)
  let keys = Math.min(most.keys, deepest)
  let sent = within(changes, next, keys)
  while (sent.length > most.changes && keys > 1) sent = within(changes, next, --keys)
  return sent.map((each) =>
    each.op === "set"
      ? { op: each.op, path: keyPath(each.path), value: each.value }
      : { op: each.op, path: keyPath(each.path) }
  )
}
