import { Option } from "effect"
import { isObject } from "../Collector.ts"
import { exactJson } from "../ExactJson.ts"
import type { Places } from "./ExportMapping.ts"

/** One event of an export, as its line or row says. */
export type ExportedEvent = Readonly<Record<string, unknown>>

/** The object that a value is, or that the JSON in a text is; undefined for anything else. */
export const objectOf = (value: unknown): ExportedEvent | undefined => {
  const parsed = typeof value === "string" ? Option.getOrUndefined(exactJson(value)) : value
  return isObject(parsed) ? parsed : undefined
}

/** Whether a value is a text that begins as the JSON of an object and is none, as one that was cut off. */
export const isBrokenObject = (value: unknown): boolean =>
  typeof value === "string" && value.trimStart().startsWith("{") && objectOf(value) === undefined

/** The events of a list, and what else a line holds as it is. */
export const listed = (content: unknown): ReadonlyArray<unknown> =>
  Array.isArray(content) && content.length > 0 && content.every(isObject) ? content : [content]

/** The id that a value is; undefined for what is none. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** The value at a path. A name may contain dots itself: the longest name that an object has is taken. */
export const valueAt = (event: ExportedEvent, path: string): unknown => {
  if (Object.hasOwn(event, path)) return event[path]
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const name = path.slice(0, dot)
    const inner = Object.hasOwn(event, name) ? event[name] : undefined
    if (isObject(inner)) return valueAt(inner, path.slice(dot + 1))
  }
  return undefined
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : isThere(value) ? JSON.stringify(value) : ""

const written = (event: ExportedEvent, template: string): string | undefined => {
  let isWhole = true
  const text = template.replace(/\{([^{}]+)\}/g, (_, path: string) => {
    const part = textOf(valueAt(event, path))
    if (part === "") isWhole = false
    return part
  })
  return isWhole ? text : undefined
}

/** What is at the first of the places that the event has. */
export const firstAt = (event: ExportedEvent, places: Places): unknown => {
  for (const place of places) {
    const value = place.includes("{") ? written(event, place) : valueAt(event, place)
    if (isThere(value)) return value
  }
  return undefined
}

/** A cell of a CSV file that is a column of its own has lost its type: what reads like a number or a truth value is one. */
export const typedCell = (value: unknown): unknown => {
  if (value === "true" || value === "false") return value === "true"
  if (typeof value !== "string" || !/^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(value)) return value
  return Number(value)
}
