import { Array } from "effect"
import { exposureType } from "../analytics/filter/Memberships.ts"
import type { CohortCondition, CohortDefinition, CohortMarker } from "./CohortDefinition.ts"

const ofMarker = ({ marker, filters }: CohortMarker): ReadonlyArray<string> =>
  filters.some(({ source }) => source === "experiment") ? [marker, exposureType].flat() : [marker].flat()

const ofCondition = (condition: CohortCondition): ReadonlyArray<string> => {
  switch (condition.type) {
    case "property":
    case "cohort":
      return []
    case "experiment":
      return [exposureType]
    case "sequence":
      return [...ofMarker(condition.first), ...ofMarker(condition.next)]
    default:
      return ofMarker(condition)
  }
}

/** Whether a condition counts days of the calendar, so that other units may belong in another time zone. */
export const countsDays = ({ children }: CohortDefinition): boolean =>
  children.some((child) =>
    "op" in child ? countsDays(child) : child.type === "behaviour" && child.measure === "distinctDays"
  )

/** The marker types that a definition names, each once. Their arrival makes the cohort due for computation. */
export const cohortMarkers = ({ children }: CohortDefinition): ReadonlyArray<string> =>
  Array.dedupe(children.flatMap((child) => ("op" in child ? cohortMarkers(child) : ofCondition(child))))
