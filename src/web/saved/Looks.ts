import type { Period } from "../builder/Period.ts"
import { periodOf, periodText } from "../builder/Period.ts"

/** What a saved question remembers beside what it asks. */
export interface Looks {
  readonly display: string
  /** A period that moves on with the days and that the API knows by its days alone: `30d,past`, `2026-10-01..`. */
  readonly moving: Period | null
  readonly flags: ReadonlyArray<string>
}

const isMoving = (period: Period | null): period is Period => period?.kind === "past" || period?.kind === "since"

/** The looks that `options.display` says: `line`, `bars;30d,past;log`. */
export const looksOf = (text: string | undefined): Looks => {
  const [display = "", ...others] = (text ?? "").split(";")
  const moving = others.map(periodOf).find(isMoving) ?? null
  return { display, moving, flags: others }
}

/** The looks as `options.display` keeps them. */
export const looksText = (display: string, period: Period, flags: ReadonlyArray<string>): string =>
  [display, ...(isMoving(period) ? [periodText(period)] : []), ...flags].join(";")
