import type { Configuration } from "./Configuration.ts"
import type { Json } from "./Document.ts"
import { isObject } from "./Document.ts"

/** Most bytes of a configuration's document, and of a schema, as canonical JSON in UTF-8. */
export const maxDocumentBytes = 1024 * 1024
export const maxSchemaBytes = 64 * 1024

/** Most bytes of a document once its links are resolved. */
export const maxResolvedBytes = 4 * 1024 * 1024

/**
 * Most bytes of all configurations of an environment together once their links are resolved: they are delivered at once, and in memory take about
 * nine times as many. What each has beside its document counts too.
 */
export const maxEnvironmentBytes = 16 * 1024 * 1024

/** Bytes that each of them counts for beside what it holds: for a name, a hash and the like. */
export const fixedBytes = 512

/** Most levels of objects and arrays in one another. */
export const maxLevels = 64

/** The bytes of a text in UTF-8. */
export const utf8Bytes = (text: string): number => {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}

const bytesOf = (scalar: Json): number =>
  typeof scalar === "string" ? utf8Bytes(JSON.stringify(scalar)) : String(scalar).length

/** What is left of two budgets on the way through a value. */
interface Budget {
  bytes: number
  /** Whether there were no more levels than may be. */
  isFlat: boolean
}

/** Takes the value from the budget. Stops counting, with negative bytes, as soon as it does not fit. */
const spend = (value: Json, levels: number, left: Budget): void => {
  if (Array.isArray(value)) {
    left.isFlat &&= levels > 0
    left.bytes -= 2 + Math.max(0, value.length - 1)
    for (const item of value) {
      if (left.bytes < 0) return
      spend(item, levels - 1, left)
    }
  } else if (isObject(value)) {
    left.isFlat &&= levels > 0
    // To list the keys of a large object costs as much as everything else here.
    const keys = Object.keys(value)
    left.bytes -= 2 + Math.max(0, keys.length - 1)
    for (const key of keys) {
      if (left.bytes < 0) return
      left.bytes -= bytesOf(key) + 1
      spend(value[key]!, levels - 1, left)
    }
  } else left.bytes -= bytesOf(value)
}

/** The bytes of a value as canonical JSON in UTF-8. */
export const jsonBytes = (value: Json): number => {
  const left: Budget = { bytes: Number.MAX_SAFE_INTEGER, isFlat: true }
  spend(value, 0, left)
  return Number.MAX_SAFE_INTEGER - left.bytes
}

/** The bytes of what a configuration has beside its document, as JSON in UTF-8: its schema, private paths and descriptions of keys. */
export const besideBytes = ({
  schema,
  privacy,
  keyDescriptions
}: Pick<Configuration, "schema" | "privacy" | "keyDescriptions">): number =>
  jsonBytes(schema) + jsonBytes(privacy) + jsonBytes(keyDescriptions)

/** Which limit a value exceeds: `bytes`, as canonical JSON in UTF-8, or `levels` of nested objects and arrays; null where it has at most so many. */
export const excessOf = (
  value: Json,
  { bytes, levels }: { readonly bytes: number; readonly levels: number }
): "bytes" | "levels" | null => {
  const left: Budget = { bytes, isFlat: true }
  spend(value, levels, left)
  if (left.bytes < 0) return "bytes"
  return left.isFlat ? null : "levels"
}

const [quote, escape] = [0x22, 0x5c]

/** Characters that one step reads. */
const charactersPerStep = 128 * 1024

/** What `excessOf` says of a value, from its text as `JSON.stringify` writes it, in steps: a fifth of the time where an object has many keys. */
export function* excessOfTextSteps(
  json: string,
  { bytes, levels }: { readonly bytes: number; readonly levels: number }
): Generator<undefined, "bytes" | "levels" | null> {
  let [length, depth, most] = [0, 0, 0]
  let isText = false
  let at = 0
  for (let from = 0; from < json.length; from += charactersPerStep) {
    if (from > 0) yield undefined
    const end = Math.min(json.length, from + charactersPerStep)
    length += utf8Bytes(json.slice(from, end))
    if (length > bytes) return "bytes"
    for (; at < end; at++) {
      const unit = json.charCodeAt(at)
      if (unit === quote) isText = !isText
      else if (isText) at += unit === escape ? 1 : 0
      else if (unit === 0x5b || unit === 0x7b) most = Math.max(most, ++depth)
      else if (unit === 0x5d || unit === 0x7d) depth--
    }
  }
  return most > levels ? "levels" : null
}
