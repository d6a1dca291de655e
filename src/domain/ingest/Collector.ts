import { hasCharacters } from "../Characters.ts"
import type { Scalar, Value } from "../analytics/markers/Event.ts"
import { Bag } from "./Bag.ts"
import { type Refusal, type RejectionCode, refuse } from "./Rejection.ts"
import { isAscii, utf8Length, wellFormed } from "./Text.ts"

const maxNameCharacters = 256
/** How deep objects may be nested in a marker. */
export const maxLevels = 4
/** Arguments of one marker, and properties. */
export const maxNames = 64
/** Bytes of the names and values of one marker. */
export const maxBytes = 8192
/** What a number or a boolean counts towards them. */
export const scalarBytes = 8
/** What an empty text of a list counts: otherwise a list could have any number of them. */
const emptyTextBytes = 1

type Entries = Readonly<Record<string, unknown>>

/** Whether the value is an object, not a list. */
export const isObject = (value: unknown): value is Entries =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Collects the names and values of one marker: nested objects become dotted names, and the first violated limit is
 * kept.
 */
export class Collector {
  readonly arguments = new Bag()
  readonly properties = new Bag()
  refusal: Refusal | null = null
  /** Problems beside the first one; null where there are none. */
  others: Array<Refusal> | null = null
  private argumentCount = 0
  private propertyCount = 0
  private bytes = 0

  /** Adds a value under its name, or an object's values under dotted names. Null and empty objects add nothing. */
  add(kind: "arguments" | "properties", name: string, value: unknown, depth = 1): void {
    if (this.refusal !== null || value === null || value === undefined) return
    if (isObject(value)) {
      if (depth === maxLevels)
        return this.refuse("NESTED_TOO_DEEP", `${name} is nested deeper than ${maxLevels} levels`)
      for (const key of Object.keys(value)) this.add(kind, `${name}.${key}`, value[key], depth + 1)
      return
    }
    if (!hasCharacters(name, 1, maxNameCharacters)) {
      return this.refuse("INVALID_NAME", `Names of ${kind} have 1 to ${maxNameCharacters} characters`)
    }
    const kept = Array.isArray(value) ? this.list(value) : this.scalar(value)
    if (kept === null) return this.refuse("INVALID_VALUE", `${name} must be a text, number, boolean or list of these`)
    this.keep(kind, this.text(name), kept)
  }

  /** Counts a text that is stored beside the values towards the size of the marker. */
  text(text: string): string {
    if (isAscii(text)) {
      this.grow(text.length)
      return text
    }
    const kept = wellFormed(text)
    this.grow(utf8Length(kept))
    return kept
  }

  /** Notes a problem. Of each code only the first is kept, and nothing is collected after one. */
  refuse(code: RejectionCode, reason: string): void {
    if (this.refusal === null) this.refusal = refuse(code, reason)
    else if (this.refusal.code !== code && this.others?.some((other) => other.code === code) !== true) {
      ;(this.others ??= []).push(refuse(code, reason))
    }
  }

  private keep(kind: "arguments" | "properties", name: string, value: Value): void {
    const isArgument = kind === "arguments"
    const bag = isArgument ? this.arguments : this.properties
    if (bag[name] === undefined && (isArgument ? ++this.argumentCount : ++this.propertyCount) > maxNames) {
      const code = isArgument ? "TOO_MANY_ARGUMENTS" : "TOO_MANY_PROPERTIES"
      return this.refuse(code, `A marker has at most ${maxNames} ${kind}`)
    }
    bag[name] = value
  }

  private scalar(value: unknown): Scalar | null {
    if (typeof value === "string") return this.text(value)
    if (typeof value !== "boolean" && !(typeof value === "number" && Number.isFinite(value))) return null
    this.grow(scalarBytes)
    return typeof value === "number" ? value + 0 : value
  }

  private list(values: ReadonlyArray<unknown>): ReadonlyArray<Scalar> | null {
    const kept: Array<Scalar> = []
    for (const value of values) {
      if (value === null) continue
      const scalar = this.scalar(value)
      if (scalar === null) return null
      if (scalar === "") this.grow(emptyTextBytes)
      kept.push(scalar)
    }
    return kept
  }

  private grow(bytes: number): void {
    this.bytes += bytes
    if (this.bytes > maxBytes)
      this.refuse("MARKER_TOO_LARGE", `A marker holds at most ${maxBytes} bytes of names and values`)
  }
}
