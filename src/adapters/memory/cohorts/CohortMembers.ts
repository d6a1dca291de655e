import { Effect } from "effect"
import type { CohortPlan } from "../../../domain/cohorts/CohortPlan.ts"
import { cohortUnits } from "../../../domain/cohorts/CohortUnits.ts"
import type { CohortId } from "../../../domain/Ids.ts"
import type { Generation, MembersPage } from "../../../ports/cohorts/CohortMembers.ts"
import { isThere, membersAt, membershipsOf, type Shelf, type Shelves, stayAt, type StoredCohort } from "./Shelf.ts"

const put = (shelf: Shelf, cohortId: CohortId, units: ReadonlySet<string>, now: number) => {
  const cohort: StoredCohort = shelf.cohorts.get(cohortId) ?? { at: -Infinity, stays: new Map() }
  const before = membersAt(cohort, Infinity)
  const at = Math.max(now, cohort.at + 1)
  const gone = before.filter((id) => !units.has(id))
  const known = new Set(before)
  const come = [...units].filter((id) => !known.has(id))
  for (const id of gone) for (const stay of cohort.stays.get(id) ?? []) stay.leftAt ??= at
  for (const id of come) cohort.stays.set(id, [...(cohort.stays.get(id) ?? []), { enteredAt: at, leftAt: null }])
  cohort.at = at
  shelf.cohorts.set(cohortId, cohort)
  if (come.length + gone.length > 0) shelf.generations++
  return { at, memberCount: units.size, entered: come.length, left: gone.length, highestSequence: shelf.highest }
}

/** Finds members by the pure functions: what every other store must agree with. */
export const cohortMembersMemory = (shelves: Shelves) => {
  const recompute = Effect.fn("CohortMembers.recompute")(
    (environmentId: number, cohortId: CohortId, plan: CohortPlan, now: number) =>
      Effect.sync((): Generation => {
        const shelf = shelves.of(environmentId)
        const units = cohortUnits(shelf.events, plan, membershipsOf(shelf))
        return { ...put(shelf, cohortId, units, now), rowsScanned: shelf.events.length }
      })
  )

  const evaluate = Effect.fn("CohortMembers.evaluate")((environmentId: number, plan: CohortPlan, limit: number) =>
    Effect.sync(() => {
      const shelf = shelves.of(environmentId)
      const units = [...cohortUnits(shelf.events, plan, membershipsOf(shelf))].sort()
      const { highest: highestSequence, events } = shelf
      return { count: units.length, sample: units.slice(0, limit), highestSequence, rowsScanned: events.length }
    })
  )

  const replace = Effect.fn("CohortMembers.replace")(
    (environmentId: number, cohortId: CohortId, unitIds: ReadonlyArray<string>, now: number) =>
      Effect.sync((): Generation => ({
        ...put(shelves.of(environmentId), cohortId, new Set(unitIds), now),
        rowsScanned: 0
      }))
  )

  const members = Effect.fn("CohortMembers.members")(
    (environmentId: number, cohortId: CohortId, { at, after, limit }: MembersPage) =>
      Effect.sync(() => {
        const cohort = shelves.of(environmentId).cohorts.get(cohortId)
        if (cohort === undefined) return []
        const ids = membersAt(cohort, at ?? Infinity).filter((id) => after === null || id > after)
        return ids.slice(0, limit).map((unitId) => ({
          unitId,
          enteredAt: stayAt(cohort, unitId, at ?? Infinity)?.enteredAt ?? 0
        }))
      })
  )

  const count = Effect.fn("CohortMembers.count")((environmentId: number, cohortId: CohortId, at: number | null) =>
    Effect.sync(() => membersAt(shelves.of(environmentId).cohorts.get(cohortId), at ?? Infinity).length)
  )

  const membership = Effect.fn("CohortMembers.membership")(
    (environmentId: number, cohortId: CohortId, unitIds: ReadonlyArray<string>, at: number | null) =>
      Effect.sync(() => {
        const cohort = shelves.of(environmentId).cohorts.get(cohortId)
        const instant = at ?? Infinity
        return unitIds.map((id) => {
          const stay = cohort === undefined ? undefined : stayAt(cohort, id, instant)
          const isMember = isThere(stay, instant)
          return { isMember, enteredAt: stay?.enteredAt ?? null, leftAt: isMember ? null : (stay?.leftAt ?? null) }
        })
      })
  )

  const ofUnit = Effect.fn("CohortMembers.ofUnit")((environmentId: number, unitId: string) =>
    Effect.sync(() =>
      [...shelves.of(environmentId).cohorts]
        .flatMap(([cohortId, cohort]) => {
          const stay = stayAt(cohort, unitId, Infinity)
          return stay === undefined || stay.leftAt !== null ? [] : [{ cohortId, enteredAt: stay.enteredAt }]
        })
        .sort((a, b) => a.cohortId - b.cohortId)
    )
  )

  const remove = Effect.fn("CohortMembers.remove")((environmentId: number, cohortId: CohortId) =>
    Effect.sync(() => {
      const shelf = shelves.of(environmentId)
      if (shelf.cohorts.delete(cohortId)) shelf.generations++
    })
  )

  return { recompute, evaluate, replace, members, count, membership, ofUnit, remove }
}
