export type Json = string | number | boolean | null | ReadonlyArray<Json> | Document

/** The content of a configuration: a JSON object. */
export interface Document {
  readonly [key: string]: Json
}

/** Keys from the root to a value. Paths lead through objects only; arrays are values. */
export type Path = ReadonlyArray<string>

/** Whether a JSON value is an object, not a list. */
export const isObject = (value: Json | undefined): value is Document =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const own = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** The value at a path; undefined if there is none. The empty path is the root. */
export const get = (document: Json, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((value, key) => own(value, key), document)

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
export const set = (document: Document, path: Path, value: Json): Document =>
  change(document, path, (parent, key) => withKey(parent, key, value))

/** Deletes a path. Returns the same object if the path is missing or empty. */
export const remove = (document: Document, path: Path): Document => change(document, path, withoutKey)

/** Whether two JSON values are equal; the order of keys is ignored. */
export const equals = (a: Json | undefined, b: Json | undefined): boolean => {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equals(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equals(a[key], b[key]))
}
