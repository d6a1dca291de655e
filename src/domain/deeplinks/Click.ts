import type { DeeplinkId, EnvironmentId } from "../Ids.ts"

/** Where a click came from. */
export interface Origin {
  /** The `utm_source` of the clicked address, or else the host of the referrer. */
  readonly source: string | null
  /** ISO 3166 alpha-2 code, where a trusted proxy reports it. */
  readonly country: string | null
  readonly device: DeviceClass
}

export type DeviceClass = "desktop" | "phone" | "tablet" | "console" | "other"

/** One counted click. Instants are epoch ms. */
export interface Click extends Origin {
  readonly interactionId: string
  readonly deeplinkId: DeeplinkId
  readonly clickedAt: number
  /** Until when it may convert, inclusive. */
  readonly expiresAt: number
  /** A pseudonym for the person: equal for the same visitor, but not traceable to them. */
  readonly visitor: string
}

/** A marker that came from a click; at most one for each click and unit. */
export interface Conversion extends Origin {
  readonly interactionId: string
  readonly deeplinkId: DeeplinkId
  readonly environmentId: EnvironmentId
  readonly unitId: string
  readonly clickedAt: number
  readonly expiresAt: number
  readonly convertedAt: number
}

/** The number of clicks of one origin within one time slot. */
export interface ClickCount extends Origin {
  readonly slot: number
  readonly clicks: number
  /** Clicks of visitors who had not clicked this link before. */
  readonly uniqueClicks: number
}

/** The length of a time slot in ms. All zones in use are offset by a multiple of it, so days consist of whole slots. */
export const slotWidth = 900_000

/** The number of the slot that contains the instant (epoch ms). */
export const slotOf = (instant: number): number => Math.floor(instant / slotWidth)
