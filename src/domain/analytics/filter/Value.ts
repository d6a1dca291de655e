import type { Scalar, Value } from "../markers/Event.ts"

/** Each text matches in one way at most: players send any, also long ones, and one that matches in many takes the square of its length. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** The number that a value stands for: a finite number, or a string that spells one. Null for everything else. */
export const numberOf = (value: Value | undefined): number | null => {
  const number = typeof value === "string" && decimal.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : null
}

/** The elements of a value. A missing value, the empty string and the empty list all have none. */
export const elementsOf = (value: Value | undefined): ReadonlyArray<Scalar> => {
  if (value === undefined || value === "") return []
  return typeof value === "object" ? value.filter((element) => element !== "") : [value]
}

/** A value as a group of a breakdown: null if it has no elements, the JSON text if it is a list. */
export const groupValue = (value: Value | undefined): Scalar | null => {
  if (value === undefined || value === "") return null
  if (typeof value !== "object") return value
  return value.length === 0 ? null : JSON.stringify(value)
}
