import { Either } from "effect"
import type { Scalar } from "../markers/Event.ts"
import { type Checked, problem } from "../question/QueryProblem.ts"
import { type Dimension, type BreakdownGroup, type GroupValues, groupKey, other, whole } from "./Breakdown.ts"

/** How a request names a series: by its labels as the answer tells them, or the merged group by `other`. */
export type GroupRequest = "other" | ReadonlyArray<{ readonly name: string; readonly value: Scalar | null }>

/**
 * The group that a request names. The labels of the merged group may also be those of a group whose values happen to be
 * "Other": such a choice has these values, and is the merged group unless a shown group has them. `field` is where the request says it.
 */
export const chosenGroup = (
  dimensions: ReadonlyArray<Dimension>,
  request: GroupRequest,
  field = "select.breakdown"
): Checked<BreakdownGroup> => {
  if (request === "other")
    return dimensions.length === 0
      ? problem("invalid", `${field}: without breakdowns there is no other group`)
      : Either.right(other)
  const isNamed = request.length === dimensions.length && request.every(({ name }, at) => name === dimensions[at]?.name)
  if (!isNamed) {
    const names = dimensions.map(({ name }) => name).join(", ")
    return problem(
      "invalid",
      dimensions.length === 0
        ? `${field}: expected none, because the query has no breakdowns`
        : `${field}: expected one value for each breakdown, in their order: ${names}`
    )
  }
  if (dimensions.length === 0) return Either.right(whole)
  const values = request.map(({ value }) => value)
  return Either.right({ values, isOther: values.every((value) => value === "Other") })
}

/**
 * Returns a test of groups: whether their units belong to the chosen one. `shown` tells the groups that the answer
 * shows; it is called only when the choice depends on them.
 */
export const groupTest = (
  chosen: BreakdownGroup,
  shown: () => ReadonlyArray<BreakdownGroup>
): ((values: GroupValues) => boolean) => {
  const key = groupKey(chosen.values)
  if (!chosen.isOther) return (values) => groupKey(values) === key
  const keys = new Set(shown().flatMap(({ values, isOther }) => (isOther ? [] : [groupKey(values)])))
  return keys.has(key) ? (values) => groupKey(values) === key : (values) => !keys.has(groupKey(values))
}
