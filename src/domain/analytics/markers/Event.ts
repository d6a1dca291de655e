export type Scalar = string | number | boolean
export type Value = Scalar | ReadonlyArray<Scalar>
export type Values = Readonly<Record<string, Value>>

/** The value of a name. What every object inherits is no value, so `__proto__` and `constructor` are names as any other. */
export const valueNamed = (values: Values, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** World coordinates x, y, z; y is the height. */
export type Position = readonly [x: number, y: number, z: number]

/** A normalized marker, not stored yet. Instants are epoch ms. */
export interface Event {
  /** Canonical lower-case UUID with dashes. */
  readonly markerId: string
  readonly type: string
  readonly unitId: string | null
  readonly sessionId: string | null
  readonly serverId: string | null
  readonly timestamp: number
  readonly receivedAt: number
  /** True when the timestamp lay too far in the future and was replaced by `receivedAt`. */
  readonly clamped: boolean
  readonly arguments: Values
  readonly properties: Values
  readonly position: Position | null
}

/**
 * A stored marker. `sequence` numbers the receipts of an environment from 1; a unit's markers are ordered by
 * (timestamp, sequence).
 */
export interface StoredEvent extends Omit<Event, "markerId"> {
  readonly sequence: number
  /** Null after the dedupe window has passed. */
  readonly markerId: string | null
}

/** Orders events by timestamp, ties by order of receipt. */
export const byTime = (a: StoredEvent, b: StoredEvent): number => a.timestamp - b.timestamp || a.sequence - b.sequence
