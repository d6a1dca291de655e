import { Either } from "effect"
import { type Checked, problem } from "../analytics/question/QueryProblem.ts"
import type { CohortCondition, CohortDefinition } from "./CohortDefinition.ts"

const isIdle = (condition: CohortCondition): boolean =>
  condition.type === "behaviour" &&
  condition.argument !== undefined &&
  (condition.measure === "count" || condition.measure === "distinctDays")

const pathOf = ({ children }: CohortDefinition, path: string): string | undefined => {
  for (const [index, child] of children.entries()) {
    const place = `${path}.children.${index}`
    const found = "op" in child ? pathOf(child, place) : isIdle(child) ? `${place}.argument` : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Refuses an argument beside a measure that looks at none, so that nobody takes a count of markers for one of the argument. Cohorts of before
 * may have one and are computed without it.
 */
export const demandNoIdleArgument = (definition: CohortDefinition): Checked<void> => {
  const path = pathOf(definition, "definition")
  return path === undefined
    ? Either.void
    : problem("invalid", `${path}: count and distinctDays look at no argument: leave it out, or choose another measure`)
}
