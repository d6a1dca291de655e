import type { DeeplinkId, EnvironmentId } from "../Ids.ts"

/** Where a click came from. */
export interface Origin {
  /** `utm_source` of the address that was clicked, else the host of the referrer. */
  readonly source: string | null
  /** ISO 3166 alpha-2, as far as a trusted proxy tells it. */
  readonly country: string | null
  readonly device: DeviceClass
}

export type DeviceClass = "desktop" | "phone" | "tablet" | "console" | "other"

/** One click that counts. Instants are epoch milliseconds. */
export interface Click extends Origin {
  readonly interactionId: string
  readonly deeplinkId: DeeplinkId
  readonly clickedAt: number
  /** Until when it may convert, inclusive. */
  readonly expiresAt: number
  /** Stands for the person, without telling who it is. */
  readonly visitor: string
}

/** A marker that came of a click: once per click and unit. */
export interface Conversion extends Origin {
  readonly interactionId: string
  readonly deeplinkId: DeeplinkId
  readonly environmentId: EnvironmentId
  readonly unitId: string
  readonly clickedAt: number
  readonly expiresAt: number
  readonly convertedAt: number
}

/** How many clicks of one origin fell into one slot of time. */
export interface ClickCount extends Origin {
  readonly slot: number
  readonly clicks: number
  /** Clicks of visitors who had not clicked this link before. */
  readonly uniqueClicks: number
}

/** Milliseconds of a slot: every zone of today is off by a multiple of it. */
export const slotWidth = 900_000

export const slotOf = (instant: number): number => Math.floor(instant / slotWidth)
