import { type Checked, eachOf, problem } from "../analytics/question/QueryProblem.ts"
import type { CohortCondition, CohortDefinition } from "./CohortDefinition.ts"

const isIdle = (condition: CohortCondition): boolean =>
  condition.type === "behaviour" &&
  condition.argument !== undefined &&
  (condition.measure === "count" || condition.measure === "distinctDays")

const pathsOf = ({ children }: CohortDefinition, path: string): ReadonlyArray<string> =>
  children.flatMap((child, index) => {
    const place = `${path}.children.${index}`
    if ("op" in child) return pathsOf(child, place)
    return isIdle(child) ? [`${place}.argument`] : []
  })

/**
 * Refuses an argument beside a measure that looks at none, so that nobody takes a count of markers for one of the argument. Cohorts of before
 * may have one and are computed without it.
 */
export const demandNoIdleArgument = (definition: CohortDefinition): Checked<unknown> =>
  eachOf(
    pathsOf(definition, "definition").map((path) =>
      problem("invalid", `${path}: count and distinctDays look at no argument: leave it out, or choose another measure`)
    )
  )
