import type { Document, Json, Path } from "./Document.ts"
import { isObject } from "./Document.ts"

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The canonical JSON text, independent of the order of keys (RFC 8785, JSON Canonicalization Scheme). */
export const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonical(item)).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort(byCodeUnits)
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key]!)}`).join(",")}}`
}

/**
 * The text whose hash is a configuration's hash: it changes exactly when the document or the set of private paths does.
 */
export const content = (document: Document, privacy: ReadonlyArray<Path>): string => {
  const paths = [...new Set(privacy.map((path) => JSON.stringify(path)))].sort(byCodeUnits)
  return `{"configuration":${canonical(document)},"privacy":[${paths.join(",")}]}`
}
