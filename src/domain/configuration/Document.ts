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
