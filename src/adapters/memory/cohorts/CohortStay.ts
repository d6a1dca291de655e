import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { exposedGroups, type Memberships } from "../../../domain/analytics/filter/Memberships.ts"
import type { CohortId } from "../../../domain/Ids.ts"

/** From one generation to another, whose members the unit is none of; null: to this day. Epoch milliseconds. */
export interface CohortStay {
  readonly enteredAt: number
  leftAt: number | null
}

export interface StoredCohort {
  /** Of the latest generation. */
  at: number
  /** Oldest first, by unit. */
  readonly stays: Map<string, Array<CohortStay>>
}

/** Everything of one environment. */
export interface StoredEnvironment {
  /** Sequence of the latest marker. */
  highest: number
  /** How often markers were dropped. */
  removals: number
  /** How often the members of a cohort changed. */
  generations: number
  events: Array<StoredEvent>
  /** The day of receipt of every marker id. */
  readonly seen: Map<string, number>
  readonly cohorts: Map<CohortId, StoredCohort>
}

export class StoredEnvironments {
  private readonly environments = new Map<number, StoredEnvironment>()

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
      seen: new Map(),
      cohorts: new Map()
    }
    this.environments.set(environmentId, stored)
    return stored
  }
}

/** The latest stay that had begun at the instant. */
export const stayAt = (cohort: StoredCohort, unitId: string, at: number): CohortStay | undefined =>
  cohort.stays.get(unitId)?.findLast(({ enteredAt }) => enteredAt <= at)

export const isThere = (stay: CohortStay | undefined, at: number): boolean =>
  stay !== undefined && (stay.leftAt === null || stay.leftAt > at)

/** Ids in the order of UTF-16 code units. */
export const membersAt = (cohort: StoredCohort | undefined, at: number): ReadonlyArray<string> =>
  cohort === undefined ? [] : [...cohort.stays.keys()].filter((id) => isThere(stayAt(cohort, id, at), at)).sort()

export const membershipsOf = ({ cohorts, events }: StoredEnvironment): Memberships => ({
  cohort: (id) => new Set(membersAt(cohorts.get(id), Infinity)),
  experiment: (id) => exposedGroups(events, id)
})
