import { DateTime, Duration } from "effect"
import type { ApplicationId, CohortId, EnvironmentId, UserId } from "../Ids.ts"
import { isTimeCome } from "../operations/DueTime.ts"

/**
 * A named set of units of an environment, given by a definition or by a list. Its members are stored with the markers.
 */
export interface Cohort {
  readonly id: CohortId
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
  readonly name: string
  readonly description: string | null
  readonly kind: "dynamic" | "static"
  /** JSON in the form of the API; null for a static cohort. */
  readonly definition: string | null
  /** The marker types that the definition names. */
  readonly markers: ReadonlyArray<string>
  /** The cohorts that the definition refers to. */
  readonly cohortIds: ReadonlyArray<CohortId>
  /** Increases whenever something that decides about membership changes. */
  readonly revision: number
  /** `computing` until the members are those of the current revision. */
  readonly status: "ready" | "computing" | "failed"
  readonly memberCount: number
  readonly computedAt: DateTime.Utc | null
  /** Why the last computation failed, as a sentence for users. */
  readonly error: string | null
  /** When the members are to be computed next; null: never. */
  readonly dueAt: DateTime.Utc | null
  /** When the running computation began; null if none is running. */
  readonly startedAt: DateTime.Utc | null
  /** Until then markers that arrive do not have the members computed again; null: it need not rest. */
  readonly restsUntil: DateTime.Utc | null
  /** The number of failed computations since the last success. */
  readonly failures: number
  /** The sequence of the latest marker that the members are based on; 0 before the first computation. */
  readonly highestSequence: number
  readonly createdBy: { readonly id: UserId; readonly email: string } | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

export type NewCohort = Omit<Cohort, "id">

/** All of a cohort but its definition, which may be long. */
export type CohortOutline = Omit<Cohort, "definition">

/** The outcome of one computation of a cohort's members. */
export interface CohortRun {
  readonly at: DateTime.Utc
  readonly memberCount: number
  readonly entered: number
  readonly left: number
}

interface Outcome extends Omit<CohortRun, "at"> {
  readonly highestSequence: number
}

/** Cohorts with relative windows are computed again after this long, since their windows move. */
export const refreshedEvery = Duration.hours(1)

const firstWait = Duration.seconds(30)

/** The wait after a number of failures in a row: half a minute, doubled by each further one, at most an hour. */
export const waitAfter = (failures: number): Duration.Duration =>
  Duration.min(Duration.times(firstWait, 2 ** Math.min(20, failures - 1)), refreshedEvery)

/** The form in which names are compared: names that differ only in case are the same. */
export const nameKey = (name: string): string => name.toLowerCase()

const nextTime = ({ kind }: Pick<Cohort, "kind">, now: DateTime.Utc) =>
  kind === "static" ? null : DateTime.addDuration(now, refreshedEvery)

/** The cohort as its computation begins. One before it that was begun and has not come to an end counts as failed. */
export const started = (cohort: Cohort, now: DateTime.Utc): Cohort => ({
  ...cohort,
  failures: cohort.startedAt === null ? cohort.failures : cohort.failures + 1,
  startedAt: now,
  dueAt: nextTime(cohort, now)
})

/** The cohort after a successful computation of its current revision. */
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

/** The cohort after a failed computation: members stay as they were, and a retry is scheduled. */
export const failed = (cohort: Cohort, error: string, now: DateTime.Utc): Cohort => {
  const failures = cohort.failures + 1
  const dueAt = cohort.kind === "static" ? null : DateTime.addDuration(now, waitAfter(failures))
  return { ...cohort, status: "failed", error, failures, dueAt, startedAt: null }
}

const cutOffAgain =
  "The server ended, or stood still, while this was computed, and not for the first time. It may need more memory than there is: name shorter times or fewer conditions"

/**
 * The cohort whose computation nobody claims any more, where it is not the first that has not come to an end: a computation that ends the server each
 * time must not be begun at each start. Null where it may be begun at once.
 */
export const failedAgain = (cohort: Cohort, now: DateTime.Utc): Cohort | null =>
  cohort.startedAt !== null && cohort.failures > 0 ? failed(cohort, cutOffAgain, now) : null

/** The cohort due for computation immediately, because something about it changed. */
export const demanded = (cohort: Cohort, now: DateTime.Utc): Cohort => ({
  ...cohort,
  status: "computing",
  error: null,
  failures: 0,
  dueAt: now,
  restsUntil: null
})

/** The cohort after an interrupted computation: due again immediately. */
export const abandoned = (cohort: Cohort, now: DateTime.Utc): Cohort => ({ ...cohort, startedAt: null, dueAt: now })

/** Whether a computation that was begun is the one that runs now, and nothing that decides about membership has changed since. */
export const isSameRun = (begun: Cohort, present: Cohort): boolean =>
  present.revision === begun.revision &&
  present.startedAt !== null &&
  begun.startedAt !== null &&
  DateTime.Equivalence(present.startedAt, begun.startedAt)

/** The cohort due no later than `at`, unless it waits after a failure. */
export const hastened = (cohort: Cohort, at: DateTime.Utc): Cohort =>
  cohort.dueAt === null || cohort.failures > 0 || DateTime.lessThanOrEqualTo(cohort.dueAt, at)
    ? cohort
    : { ...cohort, dueAt: at }

/** No computation is planned, and no claim lasts, so many milliseconds: what does was planned by a clock that was ahead and has been set back. */
export const farthestDueMillis = 2 * Duration.toMillis(refreshedEvery)

/** Whether a computation is due and none is running. */
export const isDue = ({ dueAt, startedAt }: Cohort, now: DateTime.Utc): boolean =>
  startedAt === null && dueAt !== null && isTimeCome(dueAt.epochMillis, now.epochMillis, farthestDueMillis)

/** Whether a computation was begun whose claim has run out, so that somebody else may take it over; `claimedUntil` null: nobody claims it. */
export const isLeft = ({ startedAt }: Cohort, claimedUntil: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  startedAt !== null &&
  (claimedUntil === null || isTimeCome(claimedUntil.epochMillis + 1, now.epochMillis, farthestDueMillis))
