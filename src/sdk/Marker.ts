import { messageOf } from "./Problem.ts"
import { isRecord } from "./Record.ts"

/** A value of a property: what JSON has, but no objects. */
export type MarkerValue = string | number | boolean | null | ReadonlyArray<string | number | boolean>

/** Something that happened in the game, as it is sent. */
export interface Marker {
  /** The server stores a marker of an id it knows as a duplicate, so one can be sent again and again. */
  readonly markerId: string
  /** Epoch milliseconds. */
  readonly timestamp: number
  readonly eventName: string
  readonly distinctId?: string
  readonly sessionId?: string
  readonly properties?: Readonly<Record<string, MarkerValue>>
}

/** Why JSON would say something else than this value, of which it says null or nothing; null where it says the value. */
const flawOfValue = (key: string, value: unknown): string | null => {
  const isKept = typeof value === "number" ? Number.isFinite(value) : !["function", "symbol"].includes(typeof value)
  return isKept
    ? null
    : `${key} is ${typeof value === "function" ? "a function" : String(value)}, which JSON does not have`
}

/** What the server takes for the id of a marker. In the place of anything else it makes a fresh one, each time that the marker is sent. */
const uuid = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i

/**
 * The marker as it is now, whatever the game does later with a list that it gave; why it is none where it cannot be sent. Programs without
 * types may give anything.
 */
export const takenOf = (
  marker: Omit<Marker, "properties">,
  properties: unknown
): Marker | { readonly flaw: string } => {
  const { eventName, markerId } = marker
  if (typeof eventName !== "string" || eventName === "")
    return { flaw: "a marker needs a name, which is a text that is not empty" }
  if (properties !== undefined && properties !== null && !isRecord(properties))
    return { flaw: `properties of ${eventName} must be an object, such as { level: 3 }` }
  if (!uuid.test(markerId))
    return {
      flaw: `markerId of ${eventName} must be a UUID, or it would count with each try, and is ${String(markerId)}`
    }
  let flaw: string | null = null
  try {
    // What a property has to be asked for may throw.
    const whole = properties === undefined ? marker : { ...marker, properties: { ...properties } }
    const text = JSON.stringify(whole, (key, value: unknown) => {
      flaw ??= flawOfValue(key, value)
      return value
    })
    return flaw === null ? JSON.parse(text) : { flaw: `${eventName}: ${String(flaw)}` }
  } catch (cause) {
    return { flaw: `${eventName}: ${messageOf(cause)}` }
  }
}

/** A batch of at most `mostMarkers` markers and `mostBytes` bytes of JSON, from the front of the list; at least one of a list that has any. */
export const batchOf = (
  markers: ReadonlyArray<Marker>,
  mostMarkers: number,
  mostBytes: number
): ReadonlyArray<Marker> => {
  let bytes = 0
  let count = 0
  const encoder = new TextEncoder()
  while (count < markers.length && count < mostMarkers) {
    bytes += encoder.encode(JSON.stringify(markers[count])).length + 1
    if (count > 0 && bytes > mostBytes) break
    count++
  }
  return markers.slice(0, count)
}
