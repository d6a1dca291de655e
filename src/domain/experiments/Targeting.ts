import type { Scalar } from "../analytics/markers/Event.ts"
import type { Operator } from "../analytics/filter/Filter.ts"
import { elementTest } from "../analytics/filter/Filter.ts"
import { elementsOf } from "../analytics/filter/Value.ts"
import type { CohortId } from "../Ids.ts"
import type { Context } from "./Context.ts"
import { isNewUser, valueOf } from "./Context.ts"

/** Compares a context property. Operators mean what they mean in filters of queries; `operands` likewise. */
export interface TargetingCondition {
  readonly property: string
  readonly operator: Operator
  readonly operands: ReadonlyArray<Scalar>
}

export interface Targeting {
  /** Any of these; no cohort at all means everyone. */
  readonly cohortIds: ReadonlyArray<CohortId>
  /** All of these. */
  readonly conditions: ReadonlyArray<TargetingCondition>
  /** Only units whose context says at enrolment that they are new. */
  readonly newUsersOnly: boolean
}

export const everyone: Targeting = { cohortIds: [], conditions: [], newUsersOnly: false }

/** Whether conditions and cohorts hold, now. */
export const matches = (
  { cohortIds, conditions }: Targeting,
  context: Context,
  cohorts: ReadonlySet<CohortId>
): boolean =>
  (cohortIds.length === 0 || cohortIds.some((id) => cohorts.has(id))) &&
  conditions.every(({ property, operator, operands }) =>
    elementTest(operator, operands)(elementsOf(valueOf(context, property)))
  )

/** Whether a unit may be enrolled: the targeting matches, and the unit is new where that is asked. */
export const admits = (targeting: Targeting, context: Context, cohorts: ReadonlySet<CohortId>): boolean =>
  (!targeting.newUsersOnly || valueOf(context, isNewUser) === true) && matches(targeting, context, cohorts)

/** Names of the context properties that these targetings ask for, sorted, each once. */
export const requiredProperties = (targetings: ReadonlyArray<Targeting>): ReadonlyArray<string> => {
  const names = targetings.flatMap(({ conditions, newUsersOnly }) => [
    ...conditions.map(({ property }) => property),
    ...(newUsersOnly ? [isNewUser] : [])
  ])
  return [...new Set(names)].sort()
}
