import type { Document, Json, Path } from "./Document.ts"
import { isObject, setOwn } from "./Document.ts"
import type { PathTree } from "./PathTree.ts"
import { pathTree } from "./PathTree.ts"

/** The private paths as a tree. The empty path is left out: it hides nothing. */
export const privacyTree = (privacy: ReadonlyArray<Path>): PathTree =>
  pathTree(privacy.filter(({ length }) => length > 0))

/** An item of an array: a path that names its index hides it, or continues in it alone. Null stands for a hidden one, so that others keep their places. */
const cutItem = (item: Json, index: number, privacy: PathTree): Json => {
  const left = cutValue(item, privacy)
  const own = privacy.children.get(String(index))
  if (own === undefined) return left
  return own.isEnd ? null : cutValue(left, own)
}

/**
 * A value without its private parts, in one pass. A path that meets an array continues in each item, or in the one whose index it names. What
 * holds nothing private is not copied. The root itself stays, whatever the tree says of it.
 */
export const cutValue = (value: Json, privacy: PathTree): Json => {
  const { children } = privacy
  if (children.size === 0) return value
  if (Array.isArray(value)) return value.map((item: Json, index: number) => cutItem(item, index, privacy))
  if (!isObject(value)) return value
  const keys = Object.keys(value)
  if (!keys.some((key) => children.has(key))) return value
  const kept: Record<string, Json> = {}
  for (const key of keys) {
    const child = children.get(key)
    if (child === undefined) setOwn(kept, key, value[key]!)
    else if (!child.isEnd) setOwn(kept, key, cutValue(value[key]!, child))
  }
  return kept
}

/** A document as a game client may see it. */
export const cut = (document: Document, privacy: PathTree): Document => {
  const left = cutValue(document, privacy)
  return isObject(left) ? left : document
}

/** Each path once, in order of first appearance. */
export const distinct = (privacy: ReadonlyArray<Path>): ReadonlyArray<Path> => [
  ...new Map(privacy.map((path) => [JSON.stringify(path), path])).values()
]

/** The paths of one list that are not in the other. */
export const without = (paths: ReadonlyArray<Path>, others: ReadonlyArray<Path>): ReadonlyArray<Path> => {
  const known = new Set(others.map((path) => JSON.stringify(path)))
  return paths.filter((path) => !known.has(JSON.stringify(path)))
}

/** Whether two lists make the same paths private, in any order. */
export const sameSet = (a: ReadonlyArray<Path>, b: ReadonlyArray<Path>): boolean =>
  without(a, b).length === 0 && without(b, a).length === 0
