import type { Scalar } from "../analytics/markers/Event.ts"
import type { Operator } from "../analytics/filter/Filter.ts"
import { elementTest } from "../analytics/filter/Filter.ts"
import { elementsOf } from "../analytics/filter/Value.ts"
import type { CohortId } from "../Ids.ts"
import type { Context } from "./Context.ts"
import { isOfServer, valueOf } from "./Context.ts"

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

/** The property that the server itself answers in conditions: whether the unit is a new user of the experiment. */
export const newUserProperty = "unit.isNewUser"

/** Whether the server must know when it first saw a unit to say whether the targeting accepts it. */
export const asksForSights = ({ conditions, newUsersOnly }: Targeting): boolean =>
  newUsersOnly || conditions.some(({ property }) => property === newUserProperty)

/** Whether more than a unit's context must be known to say whether the targeting accepts it: its cohorts, or when it was first seen. */
export const asksForMore = (targeting: Targeting): boolean => targeting.cohortIds.length > 0 || asksForSights(targeting)

/**
 * Whether the unit currently satisfies conditions and cohorts. `isNew` says whether it is a new user of the experiment; while that is
 * not known (null), no condition on it holds, not even a negated one.
 */
export const matches = (
  { cohortIds, conditions }: Targeting,
  context: Context,
  cohorts: ReadonlySet<CohortId>,
  isNew: boolean | null
): boolean =>
  (cohortIds.length === 0 || cohortIds.some((id) => cohorts.has(id))) &&
  conditions.every(({ property, operator, operands }) => {
    if (property !== newUserProperty) return elementTest(operator, operands)(elementsOf(valueOf(context, property)))
    return isNew !== null && elementTest(operator, operands)([isNew])
  })

/** Whether the unit may be enrolled: it matches, and it is new if the targeting demands that. */
export const admits = (
  targeting: Targeting,
  context: Context,
  cohorts: ReadonlySet<CohortId>,
  isNew: boolean | null
): boolean => (!targeting.newUsersOnly || isNew === true) && matches(targeting, context, cohorts, isNew)

/** The names of the context properties that the targetings use and a game has to send, sorted, each once. */
export const requiredProperties = (targetings: ReadonlyArray<Targeting>): ReadonlyArray<string> => {
  const names = targetings.flatMap(({ conditions }) => conditions.map(({ property }) => property))
  return [...new Set(names.filter((name) => !isOfServer(name)))].sort()
}
