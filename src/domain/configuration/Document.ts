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

/** Keys from which on they are kept: to list 60,000 takes ten milliseconds, as long as everything else that a walk does with them. */
const manyKeys = 1024

/** Of objects that never change. */
const knownKeys = new WeakMap<object, ReadonlyArray<string>>()

/** The keys of an object that never changes, those of a large one listed once. */
export const keysOf = (object: object): ReadonlyArray<string> => {
  const known = knownKeys.get(object)
  if (known !== undefined) return known
  const keys = Object.keys(object)
  if (keys.length > manyKeys) knownKeys.set(object, keys)
  return keys
}

/** Gives an object that is being made a field. One that is called `__proto__` is a field as any other. */
export const setOwn = (object: Record<string, Json>, key: string, value: Json): void => {
  if (key !== "__proto__") object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

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

/** Whether two JSON values have the same JSON text, with their keys in the same order. It ends at the first difference. */
export const isSameText = (a: Json | undefined, b: Json | undefined): boolean => {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameText(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  return (
    keys.length === others.length && keys.every((key, index) => key === others[index] && isSameText(a[key], b[key]))
  )
}
