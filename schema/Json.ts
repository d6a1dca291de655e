import type { FastCheck } from "effect"
import { Schema } from "effect"
import type { Document, Json as JsonValue } from "../src/domain/configuration/Document.ts"

const isJson = (value: unknown): value is JsonValue => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true
  if (typeof value === "number") return Number.isFinite(value)
  return typeof value === "object" && Object.values(value).every(isJson)
}

const isDocument = (value: unknown): value is Document =>
  typeof value === "object" && value !== null && !Array.isArray(value) && isJson(value)

const someJson = (fc: typeof FastCheck) =>
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer()))

/** Any JSON value. */
export const Json = Schema.declare(isJson, {
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
