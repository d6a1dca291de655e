import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { exposedGroups, type Memberships } from "../../../domain/analytics/filter/Memberships.ts"
import type { CohortId } from "../../../domain/Ids.ts"

/** From one generation to another, whose members the unit is none of; null: to this day. Epoch milliseconds. */
export interface UnitStay {
  readonly enteredAt: number
  leftAt: number | null
}

export interface StoredCohort {
  /** Of the latest generation. */
  at: number
  /** Oldest first, by unit. */
  readonly stays: Map<string, Array<UnitStay>>
}

/** Everything of one environment. */
export interface Shelf {
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

export class Shelves {
  private readonly shelves = new Map<number, Shelf>()

  remove(environmentId: number): void {
    this.shelves.delete(environmentId)
  }

  of(environmentId: number): Shelf {
    const known = this.shelves.get(environmentId)
    if (known !== undefined) return known
    const shelf: Shelf = {
      highest: 0,
      removals: 0,
      generations: 0,
      events: [],
      seen: new Map(),
      cohorts: new Map()
    }
    this.shelves.set(environmentId, shelf)
    return shelf
  }
}

/** The latest stay that had begun at the instant. */
export const stayAt = (cohort: StoredCohort, unitId: string, at: number): UnitStay | undefined =>
  cohort.stays.get(unitId)?.findLast(({ enteredAt }) => enteredAt <= at)

export const isThere = (stay: UnitStay | undefined, at: number): boolean =>
  stay !== undefined && (stay.leftAt === null || stay.leftAt > at)

/** Ids in the order of UTF-16 code units. */
export const membersAt = (cohort: StoredCohort | undefined, at: number): ReadonlyArray<string> =>
  cohort === undefined ? [] : [...cohort.stays.keys()].filter((id) => isThere(stayAt(cohort, id, at), at)).sort()

export const membershipsOf = ({ cohorts, events }: Shelf): Memberships => ({
  cohort: (id) => new Set(membersAt(cohorts.get(id), Infinity)),
  experiment: (id) => exposedGroups(events, id)
})
