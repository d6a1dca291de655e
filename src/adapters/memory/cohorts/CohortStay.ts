import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { exposedGroups, type Memberships } from "../../../domain/analytics/filter/Memberships.ts"
import { isPast, RetentionRules } from "../../../domain/analytics/markers/RetentionRule.ts"
import type { CohortId } from "../../../domain/Ids.ts"

/**
 * One stay in a cohort: from the generation that added the unit up to (not including) the generation that removed it
 * (epoch ms); `leftAt` is null while it is still a member.
 */
export interface CohortStay {
  readonly enteredAt: number
  leftAt: number | null
}

export interface StoredCohort {
  /** Epoch ms of the latest generation. */
  at: number
  /** Each unit's stays, oldest first. */
  readonly stays: Map<string, Array<CohortStay>>
}

/** Everything stored for one environment. */
export interface StoredEnvironment {
  /** The sequence of the latest marker, 0 before the first. */
  highest: number
  /** Increases whenever markers are removed. */
  removals: number
  /** Increases whenever the members of a cohort change. */
  generations: number
  events: Array<StoredEvent>
  /** Markers that were dropped because they were past retention: the catalogue goes on knowing them. */
  aged: Array<StoredEvent>
  /** The day of receipt of every marker id. */
  readonly seen: Map<string, number>
  readonly cohorts: Map<CohortId, StoredCohort>
}

export class StoredEnvironments {
  readonly rules = new RetentionRules()
  private readonly environments = new Map<number, StoredEnvironment>()

  /** The markers that are not past retention at `now` (epoch milliseconds). */
  kept(environmentId: number, now: number): ReadonlyArray<StoredEvent> {
    const limit = this.rules.limit(environmentId, now)
    return this.of(environmentId).events.filter((event) => !isPast(limit, event))
  }

  remove(environmentId: number): void {
    this.environments.delete(environmentId)
  }

  of(environmentId: number): StoredEnvironment {
    const known = this.environments.get(environmentId)
    if (known !== undefined) return known
    const stored: StoredEnvironment = {
      highest: 0,
      removals: 0,
      generations: 0,
      events: [],
      aged: [],
      seen: new Map(),
      cohorts: new Map()
    }
    this.environments.set(environmentId, stored)
    return stored
  }
}

/** The unit's latest stay that had begun at the instant; it may be over. */
export const stayAt = (cohort: StoredCohort, unitId: string, at: number): CohortStay | undefined =>
  cohort.stays.get(unitId)?.findLast(({ enteredAt }) => enteredAt <= at)

/** Whether the stay lasts at the instant. */
export const isThere = (stay: CohortStay | undefined, at: number): boolean =>
  stay !== undefined && (stay.leftAt === null || stay.leftAt > at)

/** The members at the instant, ascending by UTF-16 code units. */
export const membersAt = (cohort: StoredCohort | undefined, at: number): ReadonlyArray<string> =>
  cohort === undefined ? [] : [...cohort.stays.keys()].filter((id) => isThere(stayAt(cohort, id, at), at)).sort()

export const membershipsOf = (
  { cohorts, events: all }: StoredEnvironment,
  events: ReadonlyArray<StoredEvent> = all
): Memberships => ({
  cohort: (id) => new Set(membersAt(cohorts.get(id), Infinity)),
  experiment: (id) => exposedGroups(events, id)
})
