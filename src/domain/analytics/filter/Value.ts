import type { Scalar, Value } from "../markers/Event.ts"

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** The number a value stands for: finite numbers and strings that are written as one. Everything else is no number. */
export const numberOf = (value: Value | undefined): number | null => {
  const number = typeof value === "string" && decimal.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : null
}

/** The elements of a value; none for a missing value, the empty string and the empty list, which are all the same. */
export const elementsOf = (value: Value | undefined): ReadonlyArray<Scalar> => {
  if (value === undefined || value === "") return []
  return typeof value === "object" ? value.filter((element) => element !== "") : [value]
}

/** The value as one group of a breakdown: null when it has no elements, the JSON text of a list. */
export const groupValue = (value: Value | undefined): Scalar | null => {
  if (value === undefined || value === "") return null
  if (typeof value !== "object") return value
  return value.length === 0 ? null : JSON.stringify(value)
}
