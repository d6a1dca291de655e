import { isRecord } from "./Record.ts"

const ownOf = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  return Array.isArray(value) ? "list" : typeof value
}

const merged = (defaults: unknown, values: unknown, onMismatch: (path: string) => void, path: string): unknown => {
  if (values === undefined) return defaults
  if (defaults === undefined || defaults === null) return values
  if (kindOf(defaults) !== kindOf(values)) {
    onMismatch(path)
    return defaults
  }
  if (!isRecord(defaults) || !isRecord(values)) return values
  const names = new Set([...Object.keys(defaults), ...Object.keys(values)])
  const at = (name: string) => (path === "" ? name : `${path}.${name}`)
  return Object.fromEntries(
    [...names].map((name) => [name, merged(ownOf(defaults, name), ownOf(values, name), onMismatch, at(name))])
  )
}

/**
 * The defaults with the values of a configuration in their places. Objects are gone through key by key, and lists are taken as a whole. A
 * value of another kind than its default is left out and told to `onMismatch` with its path; a default of null takes any kind. Keys without a
 * default are added.
 */
export const overlay = <Values extends object>(
  defaults: Values,
  values: unknown,
  onMismatch: (path: string) => void
): Values => ({ ...defaults, ...Object(merged(defaults, values, onMismatch, "")) })
