import type { CohortId } from "../Ids.ts"
import type { FilterCondition } from "../analytics/filter/Filter.ts"
import { ReferenceList } from "../analytics/question/References.ts"
import { requiresMarkers } from "./Grounding.ts"
import type { CohortGroup, CohortPlan, PlannedCondition } from "./CohortPlan.ts"
import type { Selector } from "../analytics/filter/Selector.ts"
import { exposureType } from "../analytics/filter/Memberships.ts"

const conditionsOf = ({ children }: CohortGroup): ReadonlyArray<PlannedCondition> =>
  children.flatMap((child) => ("op" in child ? conditionsOf(child) : [child]))

const selectorsOf = (condition: PlannedCondition): ReadonlyArray<Selector> => {
  if (condition.type === "sequence") return [condition.first, condition.next]
  return condition.type === "property" || condition.type === "reference" ? [] : [condition.selector]
}

/** The cohorts and experiments that a plan refers to, in its conditions and in the filters of its markers. */
export const cohortReferences = (plan: CohortPlan): ReferenceList => {
  const list = new ReferenceList()
  for (const condition of conditionsOf(plan)) {
    const named: ReadonlyArray<FilterCondition> =
      condition.type === "reference"
        ? [condition.reference]
        : selectorsOf(condition).flatMap(({ filter }) => filter.conditions)
    for (const each of named) list.collecting.condition(each)
  }
  return list
}

/** The marker types whose arrival can change the members; null if any type can. */
export const cohortTypes = (plan: CohortPlan): ReadonlySet<string> | null => {
  const conditions = conditionsOf(plan)
  const isOfAny = conditions.some(
    (condition) => condition.type === "property" || ("window" in condition && condition.window.since === "firstSeen")
  )
  if (isOfAny || !requiresMarkers(plan)) return null
  const types = new Set(conditions.flatMap(selectorsOf).flatMap((selector) => selector.types))
  return cohortReferences(plan).experiments.size > 0 ? types.add(exposureType) : types
}

/**
 * The ids on the way from a cohort back to itself if its definition would be circular; otherwise null. `named` gives
 * the cohorts that each one refers to.
 */
export const cohortCycle = (
  id: CohortId,
  named: (id: CohortId) => Iterable<CohortId>
): ReadonlyArray<CohortId> | null => {
  const seen = new Set<CohortId>()
  const search = (at: CohortId, path: ReadonlyArray<CohortId>): ReadonlyArray<CohortId> | null => {
    for (const next of named(at)) {
      if (next === id) return [...path, id]
      if (seen.has(next)) continue
      seen.add(next)
      const found = search(next, [...path, next])
      if (found !== null) return found
    }
    return null
  }
  return search(id, [id])
}
