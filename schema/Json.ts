import type { FastCheck } from "effect"
import { Schema } from "effect"
import type { Document, Json as JsonValue } from "../src/domain/configuration/Document.ts"

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

const isDocument = (value: unknown): value is Document =>
  typeof value === "object" && value !== null && !Array.isArray(value) && isKnownJson(value)

const someJson = (fc: typeof FastCheck) =>
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer()))

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
