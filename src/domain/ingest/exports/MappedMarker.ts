import { isObject, maxLevels } from "../Collector.ts"
import { canonicalMarkerId } from "../MarkerId.ts"
import { instantOf } from "../Timestamp.ts"
import { converted } from "./ConvertedValue.ts"
import { exportDialects } from "./Dialects.ts"
import { type ExportedEvent, firstAt, isBrokenObject, objectOf, valueAt } from "./ExportedEvent.ts"
import type { ExportMapping, ExportOrigin } from "./ExportMapping.ts"
import type { SamePlayer } from "./PlayerIds.ts"

/** What a mapping makes of one event: a marker as a game would send it and a text that names the event, or nothing where its type is left out. */
export type Mapped =
  | { readonly _tag: "Marker"; readonly name: string; readonly marker: Readonly<Record<string, unknown>> }
  | { readonly _tag: "LeftOut" }

const leftOut: Mapped = { _tag: "LeftOut" }

const instant = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i

const offsetOf = (zone: string): string => {
  if (!/^[+-]/.test(zone)) return "Z"
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`
}

/** A time in the forms that the ingest route takes. Exports write times of UTC without an offset, and CSV files numbers as texts. */
const timestampOf = (value: unknown): unknown => {
  if (typeof value !== "string") return value
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value)
  const match = instant.exec(value.trim())
  if (match === null) return value
  const [, day = "", clock = "", fraction = "", zone = ""] = match
  return `${day}T${clock}${clock.length === 5 ? "" : fraction.slice(0, 10)}${offsetOf(zone)}`
}

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null

/** A value that a marker can have: lists of objects and what is nested too deep become their JSON. */
const storable = (value: unknown, depth = 1): unknown => {
  if (Array.isArray(value)) return value.every(isScalar) ? value : JSON.stringify(value)
  if (!isObject(value)) return value
  if (depth >= maxLevels) return JSON.stringify(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, storable(inner, depth + 1)]))
}

const matches = (name: string, patterns: ReadonlyArray<string>): boolean =>
  patterns.some((pattern) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern))

/** The name of an argument; null where the mapping leaves it out. */
const argumentName = ({ arguments: { names, keep, drop } }: ExportMapping, name: string): string | null => {
  const own = Object.hasOwn(names, name) ? names[name] : undefined
  if (own !== undefined) return own
  return matches(name, keep) && !matches(name, drop) ? name : null
}

const typed = ({ arguments: { as } }: ExportMapping, name: string, value: unknown): unknown => {
  const type = Object.hasOwn(as, name) ? as[name] : undefined
  return type === undefined ? value : converted(type, value)
}

/**
 * The arguments in one object. One whose new name another has there already stays under its own, so that neither is lost: what the game calls so
 * itself goes first.
 */
const argumentsIn = (mapping: ExportMapping, values: ExportedEvent) => {
  const names = Object.entries(values).flatMap(([name, value]) => {
    const kept = argumentName(mapping, name)
    return kept === null || value === null ? [] : [{ name, kept }]
  })
  const taken = new Set(names.filter(({ name, kept }) => name === kept).map(({ kept }) => kept))
  return names.map(({ name, kept }) => {
    const isFree = name === kept || !taken.has(kept)
    if (isFree) taken.add(kept)
    const given = isFree ? kept : name
    return [given, typed(mapping, given, storable(values[name]))] as const
  })
}

const argumentsOf = (mapping: ExportMapping, event: ExportedEvent) =>
  Object.fromEntries(
    mapping.arguments.from.flatMap((place) => argumentsIn(mapping, objectOf(valueAt(event, place)) ?? {}))
  )

/** What should be an object with arguments and breaks off. It stands in the place of the properties, so that the marker is refused instead of stored without them. */
const brokenArguments = (mapping: ExportMapping, event: ExportedEvent): unknown =>
  mapping.arguments.from.map((place) => valueAt(event, place)).find(isBrokenObject)

const propertiesOf = (mapping: ExportMapping, event: ExportedEvent) =>
  Object.fromEntries(
    Object.entries(mapping.properties).flatMap(([name, places]) => {
      const value = firstAt(event, places)
      return value === undefined ? [] : [[name, storable(value)]]
    })
  )

/**
 * The marker of one event of an export, in the ingest route's third dialect. Its id is that of the event where this is a UUID; where it is not,
 * the name tells the event among all others of the origin: by its id, or by all that it says where it has none.
 */
export const mappedMarker = (origin: ExportOrigin, mapping: ExportMapping, exported: ExportedEvent): Mapped => {
  const event = exportDialects[origin].normalized(exported)
  const type = firstAt(event, mapping.type)
  const renamed = typeof type === "string" && Object.hasOwn(mapping.types, type) ? mapping.types[type] : undefined
  if (renamed === null) return leftOut
  const id = firstAt(event, mapping.id)
  const markerId = canonicalMarkerId(id)
  return {
    _tag: "Marker",
    name: `${origin} ${typeof id === "string" ? id : JSON.stringify(id ?? exported)}`,
    marker: {
      ...(markerId === null ? {} : { markerId }),
      type: renamed ?? type,
      timestamp: timestampOf(firstAt(event, mapping.timestamp)),
      userId: firstAt(event, mapping.unitId),
      sessionId: firstAt(event, mapping.sessionId),
      value: argumentsOf(mapping, event),
      properties: brokenArguments(mapping, event) ?? propertiesOf(mapping, event)
    }
  }
}

/** The two ids that an event says are one player, at its time: last of all where that cannot be read. */
export const samePlayerOf = (
  origin: ExportOrigin,
  mapping: ExportMapping,
  exported: ExportedEvent
): SamePlayer | undefined => {
  const event = exportDialects[origin].normalized(exported)
  const same = exportDialects[origin].samePlayer(event)
  if (same === undefined) return undefined
  return { ...same, at: instantOf(timestampOf(firstAt(event, mapping.timestamp))) ?? Number.POSITIVE_INFINITY }
}
