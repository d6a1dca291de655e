import type { Scalar } from "../analytics/markers/Event.ts"
import type { Operator } from "../analytics/filter/Filter.ts"
import { elementTest } from "../analytics/filter/Filter.ts"
import { elementsOf } from "../analytics/filter/Value.ts"
import type { CohortId } from "../Ids.ts"
import type { Context } from "./Context.ts"
import { valueOf } from "./Context.ts"

/** Compares a context property, with the operators and operands of query filters. */
export interface TargetingCondition {
  readonly property: string
  readonly operator: Operator
  readonly operands: ReadonlyArray<Scalar>
}

export interface Targeting {
  /** The unit must be in any of these; an empty list accepts everyone. */
  readonly cohortIds: ReadonlyArray<CohortId>
  /** All of these must hold. */
  readonly conditions: ReadonlyArray<TargetingCondition>
  /** Whether only new users are enrolled, as `isNewUser` tells them; what the context says of that does not count. */
  readonly newUsersOnly: boolean
}

/** The targeting that everyone matches. */
export const everyone: Targeting = { cohortIds: [], conditions: [], newUsersOnly: false }

/** Whether the unit currently satisfies conditions and cohorts. */
export const matches = (
  { cohortIds, conditions }: Targeting,
  context: Context,
  cohorts: ReadonlySet<CohortId>
): boolean =>
  (cohortIds.length === 0 || cohortIds.some((id) => cohorts.has(id))) &&
  conditions.every(({ property, operator, operands }) =>
    elementTest(operator, operands)(elementsOf(valueOf(context, property)))
  )

/** Whether the unit may be enrolled: it matches, and it is new if the targeting demands that. */
export const admits = (
  targeting: Targeting,
  context: Context,
  cohorts: ReadonlySet<CohortId>,
  isNew: boolean
): boolean => (!targeting.newUsersOnly || isNew) && matches(targeting, context, cohorts)

/** The names of the context properties that the targetings use, sorted, each once. */
export const requiredProperties = (targetings: ReadonlyArray<Targeting>): ReadonlyArray<string> => {
  const names = targetings.flatMap(({ conditions }) => conditions.map(({ property }) => property))
  return [...new Set(names)].sort()
}
