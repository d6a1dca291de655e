export type Scalar = string | number | boolean
export type Value = Scalar | ReadonlyArray<Scalar>
export type Values = Readonly<Record<string, Value>>

/** World coordinates; Y is height. */
export type Position = readonly [x: number, y: number, z: number]

/** A marker after normalization, before it is stored. Instants are UTC epoch milliseconds. */
export interface Event {
  /** Canonical lower-case UUID with dashes. */
  readonly markerId: string
  readonly type: string
  readonly unitId: string | null
  readonly sessionId: string | null
  readonly serverId: string | null
  readonly timestamp: number
  readonly receivedAt: number
  /** The timestamp lay too far in the future and was set to `receivedAt`. */
  readonly clamped: boolean
  readonly arguments: Values
  readonly properties: Values
  readonly position: Position | null
}

/** A stored marker. `sequence` counts receipts per environment; order inside a unit is (timestamp, sequence). */
export interface StoredEvent extends Omit<Event, "markerId"> {
  readonly sequence: number
  /** Null once the dedupe window has passed. */
  readonly markerId: string | null
}

/** Order of events inside a unit: by timestamp, ties by receipt. */
export const byTime = (a: StoredEvent, b: StoredEvent): number => a.timestamp - b.timestamp || a.sequence - b.sequence
