import type { Document, Json, Path } from "./Document.ts"
import { isObject } from "./Document.ts"

const cutPath = (value: Json, path: Path): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => cutPath(item, path))
  if (!isObject(value)) return value
  const [key, ...rest] = path
  const kept = Object.entries(value).filter(([name]) => rest.length > 0 || name !== key)
  return Object.fromEntries(kept.map(([name, child]) => [name, name === key ? cutPath(child, rest) : child]))
}

/** A value without its private parts. A path that meets an array continues in each item. */
export const cutValue = (value: Json, privacy: ReadonlyArray<Path>): Json =>
  privacy.reduce((current, path) => (path.length === 0 ? current : cutPath(current, path)), value)

/** A document as a game client may see it. The empty path is ignored. */
export const cut = (document: Document, privacy: ReadonlyArray<Path>): Document => {
  const left = cutValue(document, privacy)
  return isObject(left) ? left : document
}

const isPrefix = (prefix: Path, path: Path): boolean => prefix.every((key, index) => key === path[index])

/** Whether the value at a path is private, by itself or because something around it is. */
export const covers = (privacy: ReadonlyArray<Path>, path: Path): boolean =>
  privacy.some((hidden) => hidden.length > 0 && isPrefix(hidden, path))

/** The private paths inside the value at a path, relative to it. */
export const inside = (privacy: ReadonlyArray<Path>, path: Path): ReadonlyArray<Path> =>
  privacy
    .filter((hidden) => hidden.length > path.length && isPrefix(path, hidden))
    .map((hidden) => hidden.slice(path.length))

/** Each path once, in order of first appearance. */
export const distinct = (privacy: ReadonlyArray<Path>): ReadonlyArray<Path> => [
  ...new Map(privacy.map((path) => [JSON.stringify(path), path])).values()
]

/** Whether two lists make the same paths private, in any order. */
export const sameSet = (a: ReadonlyArray<Path>, b: ReadonlyArray<Path>): boolean => {
  const [one, other] = [a, b].map((privacy) => new Set(privacy.map((path) => JSON.stringify(path))))
  return one!.size === other!.size && [...one!].every((path) => other!.has(path))
}
