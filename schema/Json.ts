import type { FastCheck } from "effect"
import { Schema } from "effect"
import { type Document, type Json as JsonValue, keysOf } from "../src/domain/configuration/Document.ts"

const isJson = (value: unknown): value is JsonValue => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object") return false
  if (Array.isArray(value)) return value.every(isJson)
  return isFilled(value) && Object.keys(value).every((key) => isJson(value[key]))
}

/** Reads each value where it is: a list of a large object's values costs twice as much as looking at them. */
const isFilled = (value: object): value is Readonly<Record<string, unknown>> => value !== null

/**
 * Objects and lists that are JSON. Nothing changes a value once it is read, and a large document is asked about several times on its
 * way: when its request is checked, when it is decoded, and when the answer with it is written.
 */
const walked = new WeakSet<object>()

const isKnownJson = (value: unknown): value is JsonValue => {
  if (typeof value !== "object" || value === null) return isJson(value)
  if (walked.has(value)) return true
  const isSound = isJson(value)
  if (isSound) walked.add(value)
  return isSound
}

/** Values from which on an object or a list is worth noting: fewer are walked again at once. */
const worthNoting = 256

/** Values that one step walks. */
const valuesPerStep = 4096

/** Walks a value and notes what is JSON of it; how many values it has, infinitely many where it is none. */
function* walkSteps(value: unknown, seen: { values: number }): Generator<undefined, number> {
  if (typeof value !== "object" || value === null) return isJson(value) ? 1 : Infinity
  const items = Array.isArray(value) ? value : null
  const fields = items === null && isFilled(value) ? value : {}
  const keys = items === null ? keysOf(fields) : []
  let values = 1
  for (let at = 0; at < (items ?? keys).length; at++) {
    const each: unknown = items === null ? fields[keys[at] ?? ""] : items[at]
    if (typeof each === "object" && each !== null) values += yield* walkSteps(each, seen)
    else values += isJson(each) ? 1 : Infinity
    if (++seen.values % valuesPerStep === 0) yield undefined
  }
  if (values >= worthNoting && values < Infinity) walked.add(value)
  return values
}

/** Walks a large value in steps, so that others may have a turn in between and nobody has to walk it at once. */
export function* knownJsonSteps(value: unknown): Generator<undefined, void> {
  yield* walkSteps(value, { values: 0 })
}

const isDocument = (value: unknown): value is Document =>
  typeof value === "object" && value !== null && !Array.isArray(value) && isKnownJson(value)

const someJson = (fc: typeof FastCheck) =>
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer()))

/**
 * The keys that lead to the first number in an object or a list which is too large to be one, such as 1e400, of which a parser makes
 * infinity; undefined where there is none.
 */
export const tooLargeIn = (value: unknown): ReadonlyArray<string> | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  for (const [key, each] of Object.entries<unknown>({ ...value })) {
    if (typeof each === "number" && !Number.isFinite(each)) return [key]
    const within = tooLargeIn(each)
    if (within !== undefined) return [key, ...within]
  }
  return undefined
}

/** Any JSON value. */
export const Json = Schema.declare(isKnownJson, {
  identifier: "Json",
  jsonSchema: { type: ["object", "array", "string", "number", "boolean", "null"], additionalProperties: true },
  arbitrary: () => someJson
})
export type Json = typeof Json.Type

/** A JSON object. */
export const JsonObject = Schema.declare(isDocument, {
  identifier: "JsonObject",
  jsonSchema: { type: "object", additionalProperties: true },
  arbitrary: () => (fc) => fc.dictionary(fc.string(), someJson(fc))
})
export type JsonObject = typeof JsonObject.Type
