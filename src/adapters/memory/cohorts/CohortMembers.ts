import { Clock, Effect } from "effect"
import type { CohortPlan } from "../../../domain/cohorts/CohortPlan.ts"
import { cohortUnits } from "../../../domain/cohorts/CohortUnits.ts"
import type { CohortId } from "../../../domain/Ids.ts"
import { type Generation, type MembersPage, MembersOvertaken } from "../../../ports/cohorts/CohortMembers.ts"
import {
  isThere,
  membersAt,
  membershipsOf,
  type StoredEnvironment,
  type StoredEnvironments,
  stayAt,
  type StoredCohort
} from "./CohortStay.ts"

const put = (stored: StoredEnvironment, cohortId: CohortId, units: ReadonlySet<string>, now: number) => {
  const cohort: StoredCohort = stored.cohorts.get(cohortId) ?? { at: -Infinity, stays: new Map() }
  const before = membersAt(cohort, Infinity)
  const at = Math.max(now, cohort.at + 1)
  const gone = before.filter((id) => !units.has(id))
  const known = new Set(before)
  const come = [...units].filter((id) => !known.has(id))
  for (const id of gone) for (const stay of cohort.stays.get(id) ?? []) stay.leftAt ??= at
  for (const id of come) cohort.stays.set(id, [...(cohort.stays.get(id) ?? []), { enteredAt: at, leftAt: null }])
  cohort.at = at
  stored.cohorts.set(cohortId, cohort)
  if (come.length + gone.length > 0) stored.generations++
  return { at, memberCount: units.size, entered: come.length, left: gone.length, highestSequence: stored.highest }
}

/** Cohort members by the domain's pure functions. The contract suite compares every other store with this one. */
export const cohortMembersMemory = (environments: StoredEnvironments) => {
  const recompute = Effect.fnUntraced(function* (
    environmentId: number,
    cohortId: CohortId,
    plan: CohortPlan,
    now: number,
    isCurrent: Effect.Effect<boolean> = Effect.succeed(true)
  ) {
    const clock = yield* Clock.currentTimeMillis
    if (!(yield* isCurrent)) return yield* new MembersOvertaken()
    const stored = environments.of(environmentId)
    const events = environments.kept(environmentId, clock)
    const units = cohortUnits(events, plan, membershipsOf(stored, events))
    return { ...put(stored, cohortId, units, now), rowsScanned: events.length } satisfies Generation
  })

  const evaluate = (environmentId: number, plan: CohortPlan, limit: number) =>
    Effect.map(Clock.currentTimeMillis, (clock) => {
      const stored = environments.of(environmentId)
      const events = environments.kept(environmentId, clock)
      const units = [...cohortUnits(events, plan, membershipsOf(stored, events))].sort()
      const { highest: highestSequence } = stored
      return { count: units.length, sample: units.slice(0, limit), highestSequence, rowsScanned: events.length }
    })

  const replace = (environmentId: number, cohortId: CohortId, unitIds: ReadonlyArray<string>, now: number) =>
    Effect.sync((): Generation => ({
      ...put(environments.of(environmentId), cohortId, new Set(unitIds), now),
      rowsScanned: 0
    }))

  const members = (environmentId: number, cohortId: CohortId, { at, after, limit }: MembersPage) =>
    Effect.sync(() => {
      const cohort = environments.of(environmentId).cohorts.get(cohortId)
      if (cohort === undefined) return []
      const ids = membersAt(cohort, at ?? Infinity).filter((id) => after === null || id > after)
      return ids.slice(0, limit).map((unitId) => ({
        unitId,
        enteredAt: stayAt(cohort, unitId, at ?? Infinity)?.enteredAt ?? 0
      }))
    })

  const count = (environmentId: number, cohortId: CohortId, at: number | null) =>
    Effect.sync(() => membersAt(environments.of(environmentId).cohorts.get(cohortId), at ?? Infinity).length)

  const membership = (environmentId: number, cohortId: CohortId, unitIds: ReadonlyArray<string>, at: number | null) =>
    Effect.sync(() => {
      const cohort = environments.of(environmentId).cohorts.get(cohortId)
      const instant = at ?? Infinity
      return unitIds.map((id) => {
        const stay = cohort === undefined ? undefined : stayAt(cohort, id, instant)
        const isMember = isThere(stay, instant)
        return { isMember, enteredAt: stay?.enteredAt ?? null, leftAt: isMember ? null : (stay?.leftAt ?? null) }
      })
    })

  const ofUnit = (environmentId: number, unitId: string) =>
    Effect.sync(() =>
      [...environments.of(environmentId).cohorts]
        .flatMap(([cohortId, cohort]) => {
          const stay = stayAt(cohort, unitId, Infinity)
          return stay === undefined || stay.leftAt !== null ? [] : [{ cohortId, enteredAt: stay.enteredAt }]
        })
        .sort((a, b) => a.cohortId - b.cohortId)
    )

  const remove = (environmentId: number, cohortId: CohortId) =>
    Effect.sync(() => {
      const stored = environments.of(environmentId)
      if (stored.cohorts.delete(cohortId)) stored.generations++
    })

  return { recompute, evaluate, replace, members, count, membership, ofUnit, remove }
}
