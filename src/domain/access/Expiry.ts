import { DateTime, Schema } from "effect"

export const ExpiresIn = Schema.Literal("30d", "60d", "90d", "1y", "never").annotations({
  identifier: "ExpiresIn",
  message: () => ({ message: "expected one of 30d, 60d, 90d, 1y, never", override: true })
})
export type ExpiresIn = typeof ExpiresIn.Type

const days: Record<Exclude<ExpiresIn, "never">, number> = { "30d": 30, "60d": 60, "90d": 90, "1y": 365 }

/** When a key created at `now` expires; null if it never does. */
export const expiresAt = (now: DateTime.Utc, expiresIn: ExpiresIn): DateTime.Utc | null =>
  expiresIn === "never" ? null : DateTime.add(now, { days: days[expiresIn] })
