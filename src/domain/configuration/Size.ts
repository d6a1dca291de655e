import type { Json } from "./Document.ts"
import { isObject } from "./Document.ts"

/** Most bytes of a configuration's document, and of a schema, as canonical JSON in UTF-8. */
export const maxDocumentBytes = 1024 * 1024
export const maxSchemaBytes = 64 * 1024

/** Most bytes of a document once its links are resolved. */
export const maxResolvedBytes = 4 * 1024 * 1024

/** Most levels of objects and arrays in one another. */
export const maxLevels = 64

/** The bytes of a text in UTF-8. */
const utf8Bytes = (text: string): number => {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}

const bytesOf = (scalar: Json): number =>
  typeof scalar === "string" ? utf8Bytes(JSON.stringify(scalar)) : String(scalar).length

/**
 * The bytes of `budget` that are left after the value. Stops counting, with a negative number, as soon as it does not
 * fit.
 */
const spend = (value: Json, budget: number): number => {
  if (Array.isArray(value)) {
    let left = budget - 2 - Math.max(0, value.length - 1)
    for (const item of value) {
      if (left < 0) return left
      left = spend(item, left)
    }
    return left
  }
  if (!isObject(value)) return budget - bytesOf(value)
  const keys = Object.keys(value)
  let left = budget - 2 - Math.max(0, keys.length - 1)
  for (const key of keys) {
    if (left < 0) return left
    left = spend(value[key]!, left - bytesOf(key) - 1)
  }
  return left
}

/** Whether the value has at most `bytes` bytes as canonical JSON in UTF-8. */
export const fits = (value: Json, bytes: number): boolean => spend(value, bytes) >= 0

/** Whether the value has at most `levels` levels of nested objects and arrays. */
export const isWithin = (value: Json, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return true
  if (levels === 0) return false
  const items: ReadonlyArray<Json> = Array.isArray(value) ? value : Object.values(value)
  return items.every((each) => isWithin(each, levels - 1))
}
