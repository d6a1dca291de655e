import { Context } from "effect"
import type { WeekStart } from "../../domain/Calendar.ts"

/** What an operator may set. Every field has a flag, an environment variable and a default in `app/Config.ts`. */
export interface SettingsShape {
  /** Address under which browsers and games reach this server, without a trailing slash. */
  readonly publicUrl: string
  /** First part of secret keys and personal access tokens. */
  readonly keyPrefix: string
  /** Accounts one browser may hold. */
  readonly maxAccounts: number
  readonly sessionDays: number
  readonly memberSlots: number
  readonly projectSlots: number
  /** Whether a user without organization gets one at the first sign-in. */
  readonly defaultOrganization: boolean
  readonly rateLimits: boolean
  /** Whether `X-Forwarded-For` names the caller. */
  readonly trustProxy: boolean
  /** Schemes of apps that deeplinks may lead to, lower case, without colon. */
  readonly linkSchemes: ReadonlyArray<string>
  /** Markers older than this are stale. */
  readonly retentionDays: number
  /** How long after its receipt a marker's id is remembered. */
  readonly dedupeDays: number
  readonly queryTimeoutSeconds: number
  /** The day on which weeks begin in every answer. */
  readonly weekStart: WeekStart
}

export class Settings extends Context.Tag("ports/operations/Settings")<Settings, SettingsShape>() {}
