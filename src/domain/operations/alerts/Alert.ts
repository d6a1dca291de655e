import type { DateTime } from "effect"
import type {
  AlertId,
  ApplicationId,
  CohortId,
  EnvironmentId,
  ExperimentId,
  IncidentId,
  QueryId,
  UserId
} from "../../Ids.ts"
import type { AlertCondition, Look, WindowStep } from "./AlertJudgement.ts"

/** What an alert watches. */
export type AlertWatch =
  /** A metric of a saved insight, by the hour or the day; null: its first visible one. */
  | {
      readonly kind: "query"
      readonly queryId: QueryId
      readonly metricId: string | null
      readonly every: WindowStep
      readonly condition: AlertCondition
    }
  /** Of those who enter a saved funnel in an hour or a day, the share that reaches a step within that time. */
  | {
      readonly kind: "funnelStep"
      readonly queryId: QueryId
      readonly step: number
      readonly every: WindowStep
      readonly condition: AlertCondition
    }
  /** That markers of a type, or of several together, arrive. */
  | {
      readonly kind: "silence"
      readonly names: string | readonly [string, ...ReadonlyArray<string>]
      readonly minutes: number
    }
  /** Guardrails, or shares of the groups, of one experiment, or of all that run. */
  | { readonly kind: "guardrail" | "sampleRatio"; readonly experimentId: ExperimentId | null }
  /** That a cohort, or any, can be computed. */
  | { readonly kind: "cohort"; readonly cohortId: CohortId | null }

export type AlertState = "new" | "fine" | "fired" | "unclear" | "broken"

export interface Person {
  readonly id: UserId
  readonly email: string
}

/** What was found last. */
export interface Found {
  /** Epoch ms: the window that was looked at, or the instant twice. */
  readonly from: number
  readonly to: number
  readonly look: Look | null
  readonly text: string
}

/** Watches something of an environment and tells when it is not as it should be. */
export interface Alert {
  readonly id: AlertId
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
  readonly name: string
  readonly description: string | null
  readonly watch: AlertWatch
  /** So many minutes after the end of a window it is looked at: markers arrive late. */
  readonly delayMinutes: number
  readonly isActive: boolean
  readonly state: AlertState
  /** Since when it has that state. */
  readonly since: DateTime.Utc
  readonly found: Found | null
  /** Why it cannot be judged; null where it can. */
  readonly problem: string | null
  /** How many times in a row it could not be judged; 0 of a broken one of which nobody was told, since it was muted. */
  readonly failures: number
  /** How many looks in a row have found nothing while an incident is open. */
  readonly calm: number
  /** When it is judged next (epoch ms). */
  readonly nextAt: number
  /** Until then nobody is told. */
  readonly mutedUntil: DateTime.Utc | null
  readonly createdBy: Person | null
  readonly updatedBy: Person | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** A time in which something was not as it should be. */
export interface Incident {
  readonly id: IncidentId
  readonly alertId: AlertId
  readonly startedAt: DateTime.Utc
  readonly endedAt: DateTime.Utc | null
  /** What was found first. */
  readonly text: string
  readonly look: Look | null
  /** What it is about, such as the experiments whose guardrails fail. */
  readonly objects: ReadonlyArray<string>
  /** Whether somebody was told. */
  readonly told: boolean
  readonly acknowledgedBy: Person | null
  readonly acknowledgedAt: DateTime.Utc | null
  readonly note: string | null
}

export type NewIncident = Omit<Incident, "id">

/** Alerts of an environment. */
export const mostAlerts = 200

/** Days for which incidents that have ended are kept. */
export const incidentDays = 365

/** Whether it is judged window by window. */
export const windowOf = (watch: AlertWatch): WindowStep | null =>
  watch.kind === "query" || watch.kind === "funnelStep" ? watch.every : null

/** Whether nobody is told at `now` (epoch ms). */
export const isMuted = ({ mutedUntil }: Pick<Alert, "mutedUntil">, now: number): boolean =>
  mutedUntil !== null && mutedUntil.epochMillis > now
