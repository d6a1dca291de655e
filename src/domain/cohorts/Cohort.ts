import { DateTime, Duration } from "effect"
import type { ApplicationId, CohortId, EnvironmentId, UserId } from "../Ids.ts"

/** A set of units of one environment: by what they are and did, or by a list. Its members are kept beside the markers. */
export interface Cohort {
  readonly id: CohortId
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
  readonly name: string
  readonly description: string | null
  readonly kind: "dynamic" | "static"
  /** As JSON of the wire; null of a static cohort. */
  readonly definition: string | null
  /** Marker types that the definition names. */
  readonly markers: ReadonlyArray<string>
  /** Cohorts that the definition refers to. */
  readonly cohortIds: ReadonlyArray<CohortId>
  /** Grows with every change of what decides who belongs. */
  readonly revision: number
  /** Computing until the members are those of this revision. */
  readonly status: "ready" | "computing" | "failed"
  readonly memberCount: number
  readonly computedAt: DateTime.Utc | null
  /** Why the last computation failed, in plain words. */
  readonly error: string | null
  /** When it is to be computed next; null: never. */
  readonly dueAt: DateTime.Utc | null
  /** Since when it is being computed; null while it is not. */
  readonly startedAt: DateTime.Utc | null
  /** Computations that failed since the last one that did not. */
  readonly failures: number
  /** Of the markers that the members were computed from; 0 before the first time. */
  readonly highestSequence: number
  readonly createdBy: { readonly id: UserId; readonly email: string } | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

export type NewCohort = Omit<Cohort, "id">

/** What a computation did to the members of a cohort. */
export interface CohortRun {
  readonly at: DateTime.Utc
  readonly memberCount: number
  readonly entered: number
  readonly left: number
}

interface Outcome extends Omit<CohortRun, "at"> {
  readonly highestSequence: number
}

/** Relative windows move: members are computed anew after this long. */
export const refreshedEvery = Duration.hours(1)

const firstWait = Duration.seconds(30)

/** Half a minute after the first failure, twice as long after each further one, at most an hour. */
export const waitAfter = (failures: number): Duration.Duration =>
  Duration.min(Duration.times(firstWait, 2 ** Math.min(20, failures - 1)), refreshedEvery)

/** Names that differ by case alone would be taken for each other. */
export const nameKey = (name: string): string => name.toLowerCase()

const nextTime = ({ kind }: Pick<Cohort, "kind">, now: DateTime.Utc) =>
  kind === "static" ? null : DateTime.addDuration(now, refreshedEvery)

/** A computation begins. */
export const started = (cohort: Cohort, now: DateTime.Utc): Cohort => ({
  ...cohort,
  startedAt: now,
  dueAt: nextTime(cohort, now)
})

/** The members are those of the present revision. */
export const computed = (cohort: Cohort, { memberCount, highestSequence }: Outcome, now: DateTime.Utc): Cohort => ({
  ...cohort,
  status: "ready",
  memberCount,
  highestSequence,
  computedAt: now,
  error: null,
  startedAt: null,
  failures: 0
})

/** The computation failed: the members stay as they were, and it is tried again later. */
export const failed = (cohort: Cohort, error: string, now: DateTime.Utc): Cohort => {
  const failures = cohort.failures + 1
  const dueAt = cohort.kind === "static" ? null : DateTime.addDuration(now, waitAfter(failures))
  return { ...cohort, status: "failed", error, failures, dueAt, startedAt: null }
}

/** To be computed as soon as possible, whatever the definition was before. */
export const demanded = (cohort: Cohort, now: DateTime.Utc): Cohort => ({
  ...cohort,
  status: "computing",
  error: null,
  failures: 0,
  dueAt: now
})

/** The computation was cut short: it is due again at once. */
export const abandoned = (cohort: Cohort, now: DateTime.Utc): Cohort => ({ ...cohort, startedAt: null, dueAt: now })

/** To be computed no later than then, unless it waits after a failure. */
export const hastened = (cohort: Cohort, at: DateTime.Utc): Cohort =>
  cohort.dueAt === null || cohort.failures > 0 || DateTime.lessThanOrEqualTo(cohort.dueAt, at)
    ? cohort
    : { ...cohort, dueAt: at }

/** Whether a computation may begin. */
export const isDue = ({ dueAt, startedAt }: Cohort, now: DateTime.Utc): boolean =>
  startedAt === null && dueAt !== null && DateTime.lessThanOrEqualTo(dueAt, now)
