import type { Document, Json } from "./Document.ts"
import { equals, isObject } from "./Document.ts"

/** What values a type has: enough of JSON Schema to declare it in a language. */
export type Shape =
  /** What is scalar is a text, a number or a boolean. */
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "scalar" | "any" }
  | { readonly kind: "words"; readonly words: ReadonlyArray<string> }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "object"; readonly fields: ReadonlyArray<ShapeField> }

export interface ShapeField {
  readonly key: string
  readonly shape: Shape
  readonly isOptional: boolean
}

const any: Shape = { kind: "any" }

const isText = (value: Json): value is string => typeof value === "string"

const same = (a: Shape, b: Shape): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The shape of a value by itself. Null and links, which stand for something else, may be anything. */
const ofValue = (value: Json): Shape => {
  if (typeof value === "string") return { kind: "string" }
  if (typeof value === "number") return { kind: "number" }
  if (typeof value === "boolean") return { kind: "boolean" }
  if (Array.isArray(value)) {
    const [first, ...others] = value.map((item: Json) => ofValue(item))
    return { kind: "list", item: first !== undefined && others.every((other) => same(first, other)) ? first : any }
  }
  if (!isObject(value) || Object.hasOwn(value, "$link")) return any
  const fields = Object.keys(value).map((key) => ({ key, shape: ofValue(value[key] ?? null), isOptional: false }))
  return { kind: "object", fields }
}

const ofObject = (schema: Document, value: Json | undefined): Shape => {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {}
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  const present = isObject(value) ? value : {}
  const keys = [...new Set([...Object.keys(properties), ...Object.keys(present)])]
  if (keys.length === 0) return any
  const fields = keys.map((key) => ({
    key,
    shape: shapeOf(properties[key] ?? null, Object.hasOwn(present, key) ? present[key] : undefined),
    isOptional: !Object.hasOwn(present, key) && !required.some((each: Json) => equals(each, key))
  }))
  return { kind: "object", fields }
}

/**
 * The shape of a value by its JSON Schema, and of what the schema is silent about by the value. Keywords that join schemas, such as `$ref`
 * and `anyOf`, make it anything.
 */
export const shapeOf = (schema: Json, value: Json | undefined): Shape => {
  if (!isObject(schema)) return value === undefined ? any : ofValue(value)
  const { type, enum: words, items } = schema
  if (Array.isArray(words) && words.length > 0 && words.every(isText)) return { kind: "words", words }
  if (["$ref", "anyOf", "oneOf", "allOf"].some((key) => Object.hasOwn(schema, key))) return any
  if (type === "string" || type === "number" || type === "integer" || type === "boolean") return { kind: type }
  if (type === "array") return { kind: "list", item: shapeOf(items ?? null, undefined) }
  if (type === "object" || isObject(schema["properties"])) return ofObject(schema, value)
  return type === undefined && value !== undefined ? ofValue(value) : any
}
