import { hasCharacters } from "../Characters.ts"
import { dayMillis } from "../Durations.ts"
import type { Event, Position } from "../analytics/markers/Event.ts"
import type { RetentionRule } from "../analytics/markers/RetentionRule.ts"
import { Collector, isObject } from "./Collector.ts"
import { canonicalMarkerId } from "./MarkerId.ts"
import { meantAs } from "./MeantFields.ts"
import type { AdmittedNames } from "./NameLimits.ts"
import { type Refusal, type RejectionCode, refuse } from "./Rejection.ts"
import { instantOf } from "./Timestamp.ts"

/** A marker in normal form; `markerId` is null where the sender gave no UUID. */
export interface IncomingMarker extends Omit<Event, "markerId"> {
  readonly markerId: string | null
}

/** How far back markers may lie, in milliseconds: of these types as far as each says, of all others `retention`. */
interface Kept {
  readonly retention: number
  readonly typeRetention?: ReadonlyMap<string, number>
}

/** How far back the rule keeps markers, in milliseconds. */
export const keptFor = ({ days, types }: RetentionRule): Kept => ({
  retention: days * dayMillis,
  typeRetention: new Map(Object.entries(types).map(([type, own]) => [type, own * dayMillis]))
})

/** When the batch came, in epoch milliseconds, and how far back its markers may lie. */
export interface Receipt extends Kept {
  readonly receivedAt: number
  /** Whether what happened to a unit at that instant was erased and may not come back; undefined: nobody's was. */
  readonly isErased?: ((unitId: string, timestamp: number) => boolean) | undefined
  /** The names that the environment knows; undefined: any are taken. */
  readonly names?: AdmittedNames | undefined
  /** Whether markers say themselves that they were clamped, as rows of an export of ours do. A game is not believed. */
  readonly isImport?: boolean | undefined
}

export type MarkerOutcome =
  | { readonly _tag: "Kept"; readonly marker: IncomingMarker }
  | { readonly _tag: "Stale" }
  | { readonly _tag: "Refused"; readonly refusal: Refusal }

type Entries = Readonly<Record<string, unknown>>

/** Milliseconds after their receipt at which markers may have happened; a later one is taken for a clock that is wrong. */
export const tolerance = 600_000
/** Of types, ids and names. */
export const maxTextCharacters = 256

/** Names of properties in dialects 1 and 2, which hold them beside the arguments; so is every name that begins with `$`. */
export const automaticNames = [
  "platform",
  "country",
  "language",
  "device",
  "deviceSubType",
  "inputType",
  "appVersion",
  "placeId",
  "placeVersion",
  "sdkPlatform",
  "origin",
  "systemLanguage"
] as const

const automatic: ReadonlySet<string> = new Set(automaticNames)

/** Whether dialects 1 and 2 hold the property of this name beside the arguments. */
export const isAutomatic = (name: string): boolean => name.charCodeAt(0) === 36 || automatic.has(name)

const isAxis = (value: unknown): value is number => typeof value === "number" && Number.isFinite(Math.fround(value))

const positionOf = (value: object): Position | null => {
  const [x, y, z, ...rest]: ReadonlyArray<unknown> = Array.isArray(value)
    ? value
    : isObject(value)
      ? [value["x"], value["y"], value["z"]]
      : []
  return rest.length === 0 && isAxis(x) && isAxis(y) && isAxis(z) ? [x + 0, y + 0, z + 0] : null
}

const isPlainNumber = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER && !String(value).includes("e")

/** The text of an id; null if it is missing, null or empty; undefined if it is not an id. */
const idText = (value: unknown): string | null | undefined => {
  if (value === undefined || value === null || value === "") return null
  if (isPlainNumber(value)) return String(value + 0)
  return typeof value === "string" && hasCharacters(value, 1, maxTextCharacters) ? value : undefined
}

/** Reads one marker of any dialect field by field. Errors are kept in its collector. */
class Reading {
  readonly collector = new Collector()
  position: Position | null = null

  id(field: string, value: unknown, code: RejectionCode): string | null {
    const text = idText(value)
    if (text === undefined) {
      this.collector.refuse(
        code,
        `${field} must be a text of at most ${maxTextCharacters} characters or a whole number below 2^53`
      )
    }
    return typeof text === "string" ? this.collector.text(text) : null
  }

  flag(field: string, value: unknown, code: RejectionCode): boolean {
    if (typeof value !== "boolean" && value !== undefined && value !== null) {
      this.collector.refuse(code, `${field} must be true or false`)
    }
    return value === true
  }

  property(name: string, value: unknown): void {
    if (name !== "position" || typeof value !== "object" || value === null) {
      return this.collector.add("properties", name, value)
    }
    this.position = positionOf(value)
    if (this.position === null) {
      this.collector.refuse("INVALID_POSITION", "A position is [x, y, z] or {x, y, z} of finite numbers")
    }
  }

  /** Dialects 1 and 2: arguments and automatic properties in one object. */
  mixed(values: Entries): void {
    for (const name of Object.keys(values)) {
      if (name === "position" || isAutomatic(name)) this.property(name, values[name])
      else this.collector.add("arguments", name, values[name])
    }
  }

  /** Dialect 3: the arguments by themselves, as an object or as a single value. */
  separate(value: unknown, properties: Entries): void {
    if (isObject(value)) for (const name of Object.keys(value)) this.collector.add("arguments", name, value[name])
    else this.collector.add("arguments", "value", value)
    for (const name of Object.keys(properties)) this.property(name, properties[name])
  }
}

const nothing: Entries = {}

const read = (marker: Entries, type: string, instant: number, { receivedAt, isImport }: Receipt): MarkerOutcome => {
  const reading = new Reading()
  const { collector } = reading
  const sent = marker["properties"] ?? nothing
  const properties = isObject(sent) ? sent : nothing
  if (sent !== properties) collector.refuse("INVALID_PROPERTIES", "properties must be an object")
  const name = collector.text(type)
  const unitId = reading.id("distinctId (or userId)", marker["distinctId"] ?? marker["userId"], "INVALID_UNIT_ID")
  const sessionId = reading.id("sessionId", marker["sessionId"], "INVALID_SESSION_ID")
  const serverId = reading.id("serverId", marker["serverId"], "INVALID_SERVER_ID")
  const wasClamped = isImport === true && reading.flag("clamped", marker["clamped"], "INVALID_CLAMPED")
  if (typeof marker["eventName"] === "string") reading.mixed(properties)
  else reading.separate(marker["value"], properties)
  if (collector.refusal !== null) return refusedFor([collector.refusal, ...(collector.others ?? [])])
  const isAhead = instant > receivedAt + tolerance
  const incoming: IncomingMarker = {
    markerId: canonicalMarkerId(marker["markerId"]),
    type: name,
    unitId,
    sessionId,
    serverId,
    timestamp: isAhead ? receivedAt : instant,
    receivedAt,
    clamped: isAhead || wasClamped,
    arguments: collector.arguments,
    properties: collector.properties,
    position: reading.position
  }
  return { _tag: "Kept", marker: incoming }
}

/** With the code of the first problem and the reasons of all. */
const refusedFor = (problems: readonly [Refusal, ...ReadonlyArray<Refusal>]): MarkerOutcome => {
  const [{ code }] = problems
  return { _tag: "Refused", refusal: refuse(code, problems.map(({ reason }) => reason).join("; ")) }
}

const isType = (type: unknown): type is string => typeof type === "string" && hasCharacters(type, 1, maxTextCharacters)

const invalidType = (marker: Entries): Refusal =>
  refuse(
    "INVALID_TYPE",
    `eventName (or type) must be a text of 1 to ${maxTextCharacters} characters${meantAs(marker, "eventName")}`
  )

const invalidTimestamp = (marker: Entries): Refusal =>
  refuse(
    "INVALID_TIMESTAMP",
    `timestamp must be ISO 8601 with an offset, or epoch milliseconds or seconds${meantAs(marker, "timestamp")}`
  )

/** Everything that is wrong with a marker without a type or a timestamp. */
const unreadable = (marker: Entries, type: unknown, instant: number | null, receipt: Receipt): MarkerOutcome => {
  const first = isType(type) ? invalidTimestamp(marker) : invalidType(marker)
  const second = isType(type) || instant !== null ? [] : [invalidTimestamp(marker)]
  const rest = read(marker, "x", instant ?? receipt.receivedAt, receipt)
  return refusedFor([first, ...second, ...(rest._tag === "Refused" ? [rest.refusal] : [])])
}

/**
 * Normalizes one marker of any dialect. `eventName` marks dialects 1 and 2 (`properties` holds arguments and automatic
 * names), `type` dialect 3 (`value` holds the arguments). A timestamp over ten minutes in the future becomes the time
 * of receipt; one before the retention or before 1970 is stale. Never throws, whatever the value.
 */
export const readMarker = (marker: unknown, receipt: Receipt): MarkerOutcome => {
  if (!isObject(marker)) return refusedFor([refuse("NOT_AN_OBJECT", "A marker must be an object")])
  const type = marker["eventName"] ?? marker["type"]
  const instant = instantOf(marker["timestamp"])
  if (!isType(type) || instant === null) return unreadable(marker, type, instant, receipt)
  const outcome = read(marker, type, instant, receipt)
  const retention = receipt.typeRetention?.get(type) ?? receipt.retention
  const isStale = instant < Math.max(0, receipt.receivedAt - retention)
  return isStale && outcome._tag === "Kept" ? { _tag: "Stale" } : outcome
}
