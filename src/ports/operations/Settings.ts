import { Context, type Redacted } from "effect"
import type { GroupRole } from "../../domain/access/OpenId.ts"
import type { SignUpRule } from "../../domain/access/User.ts"
import type { NameLimits } from "../../domain/ingest/NameLimits.ts"
import type { WeekStart } from "../../domain/Calendar.ts"

/** Requests a second of one key and of one address. */
export interface CallerLimit {
  readonly perKey: number
  readonly perAddress: number
}

/** How people sign in through a provider of OpenID Connect. */
export interface SingleSignOn {
  /** What the sign-in page calls the provider. */
  readonly name: string
  /** Roles that groups of the provider give in organizations; of those in one organization the first counts. */
  readonly roles: ReadonlyArray<GroupRole>
  /** Whether nobody but the owners of the server signs in by password. */
  readonly only: boolean
}

/** The collector of OpenTelemetry that is told, and of what. */
export interface OtlpSettings {
  /** Its address; empty: none. */
  readonly endpoint: string
  /** Headers that it asks for, as name=value, separated by commas. */
  readonly headers: Redacted.Redacted
  readonly service: string
  /** Some of `traces`, `metrics` and `logs`, separated by commas. */
  readonly signals: string
  /** The share of traces that is recorded where a caller does not say, from 0 to 1. */
  readonly sample: number
  /** Seconds from one export of the metrics to the next. */
  readonly metricSeconds: number
}

/** What an operator may configure. Every field has a flag, an environment variable and a default in `app/Config.ts`. */
export interface SettingsShape {
  /** The address under which browsers and games reach this server, without a trailing slash. */
  readonly publicUrl: string
  /** The first part of secret keys and personal access tokens. */
  readonly keyPrefix: string
  /** Accounts that one browser may hold. */
  readonly maxAccounts: number
  readonly sessionDays: number
  /** The least estimate of a password that people may choose, from 0 to 4; 0: any. */
  readonly passwordStrength: number
  readonly memberSlots: number
  readonly projectSlots: number
  /** Whether a user without organization gets one at the first sign-in. */
  readonly defaultOrganization: boolean
  /** Who may sign up; null: everybody until the first organization has its owner, then only the invited. */
  readonly signUp: SignUpRule | null
  /** Null where no provider is named. */
  readonly oidc: SingleSignOn | null
  /** Whether requests are limited and, under too much load, refused. */
  readonly rateLimits: boolean
  readonly pollLimit: CallerLimit
  readonly evaluateLimit: CallerLimit
  readonly ingestLimit: CallerLimit
  /** Streams that may be open at once. */
  readonly streamLimit: CallerLimit
  /** Connections that one address may have open at once. */
  readonly connectionLimit: number
  /** Whether `X-Forwarded-For` names the caller. */
  readonly trustProxy: boolean
  /** Schemes of apps that deeplinks may lead to, in lower case, without the colon. */
  readonly linkSchemes: ReadonlyArray<string>
  /** Days after which markers are stale: refused on receipt and dropped by maintenance. */
  readonly retentionDays: number
  /** Days for which a received marker's id is remembered, to recognise duplicates. */
  readonly dedupeDays: number
  readonly queryTimeoutSeconds: number
  /** Megabytes of free disk below which the server says that it is not ready. */
  readonly minFreeMb: number
  /** Milliseconds from which on a question is told in the log; 0: none is. */
  readonly slowQueryMs: number
  /** E-mail addresses of the people who own the server, for what concerns all organizations at once. */
  readonly owners: ReadonlyArray<string>
  /** Hours from one backup to the next. */
  readonly backupHours: number
  /** Hours from one export of all markers to the next. */
  readonly exportHours: number
  /** Whether webhooks may lead to addresses that are not public, and be without https. */
  readonly privateWebhooks: boolean
  /** Days that the log of changes is kept. */
  readonly auditDays: number
  /** What monitoring shows to read `/metrics`; empty: nothing answers there. */
  readonly metricsToken: Redacted.Redacted
  readonly otlp: OtlpSettings
  /** Marker types, and names of their arguments and properties, that one environment may have. */
  readonly nameLimits: NameLimits
  /** The day on which weeks begin in every answer. */
  readonly weekStart: WeekStart
}

/** The settings of this process, read once when it starts. */
export class Settings extends Context.Tag("ports/operations/Settings")<Settings, SettingsShape>() {}
