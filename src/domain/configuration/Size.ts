import type { Json } from "./Document.ts"
import { isObject } from "./Document.ts"

/** Most bytes of a configuration's document, and of a schema, as canonical JSON in UTF-8. */
export const maxDocumentBytes = 1024 * 1024
export const maxSchemaBytes = 64 * 1024

/** Most bytes of a document once its links are resolved. */
export const maxResolvedBytes = 4 * 1024 * 1024

/** Most levels of objects and arrays in one another. */
export const maxLevels = 64

const encoder = new TextEncoder()
const bytesOf = (scalar: Json): number => encoder.encode(JSON.stringify(scalar)).length

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
  return levels > 0 && Object.values(value).every((each: Json) => isWithin(each, levels - 1))
}
