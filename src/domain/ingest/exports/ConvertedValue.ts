import type { ValueType } from "./ExportMapping.ts"
import { isLongNumber } from "../ExactJson.ts"
import { numberOf } from "../../analytics/filter/Value.ts"

const truths: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false]
])

const conversions: Readonly<Record<ValueType, (value: string | number | boolean) => string | number | boolean>> = {
  number: (value) => (typeof value === "string" && isLongNumber(value) ? value : (numberOf(value) ?? value)),
  string: String,
  boolean: (value) => truths.get(String(value).toLowerCase()) ?? value
}

/** A value as one of the type, with each element of a list; what is none of it stays as it is. */
export const converted = (type: ValueType, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((element) => converted(type, element))
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? conversions[type](value)
    : value
}
