import { Either } from "effect"
import { type Checked, problem } from "../analytics/question/QueryProblem.ts"
import { hasRoomFor, hasRoomToGrow, type Size } from "../Room.ts"
import type { CohortCondition, CohortDefinition, CohortMarker } from "./CohortDefinition.ts"

/** Cohorts of an environment, and characters of their definitions as JSON together: some requests read all of them. */
export const mostCohorts: Size = { count: 1000, characters: 16 * 1024 * 1024 }

/** Filters of the markers of a definition together, and values of these filters. */
export const mostFilters = 500
export const mostValues = 20_000

const markersOf = (condition: CohortCondition): ReadonlyArray<CohortMarker> => {
  if (condition.type === "sequence") return [condition.first, condition.next]
  return "filters" in condition ? [condition] : []
}

const filtersOf = ({ children }: CohortDefinition): ReadonlyArray<CohortMarker["filters"][number]> =>
  children.flatMap((child) => ("op" in child ? filtersOf(child) : markersOf(child).flatMap(({ filters }) => filters)))

/** Refuses more filters than are decoded and written at once. Cohorts of before may have more. */
export const demandFewFilters = (definition: CohortDefinition): Checked<unknown> => {
  const filters = filtersOf(definition)
  if (filters.length > mostFilters) {
    return problem("invalid", `definition: expected at most ${mostFilters} filters together, found ${filters.length}`)
  }
  const values = filters.reduce((sum, { value }) => sum + (Array.isArray(value) ? value.length : 1), 0)
  if (values <= mostValues) return Either.void
  return problem("invalid", `definition: expected at most ${mostValues} values of filters together, found ${values}`)
}

const charactersOf = (definition: string | null): number => definition?.length ?? 0

/** Whether an environment whose cohorts are so much may have another one of that definition; null: a list of units. */
export const mayBegin = (size: Size, definition: string | null): boolean =>
  hasRoomFor(size, mostCohorts, charactersOf(definition))

/** Whether one of them may have another definition. */
export const mayBecome = (size: Size, before: string | null, after: string | null): boolean =>
  hasRoomToGrow(size, mostCohorts, charactersOf(before), charactersOf(after))
