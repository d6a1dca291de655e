import type { CohortId } from "../Ids.ts"

/** Whether a query, as JSON in the form of the API, refers to the cohort in any filter or breakdown. */
export const namesCohort = (query: unknown, id: CohortId): boolean => {
  if (typeof query !== "object" || query === null) return false
  if ("source" in query && query.source === "cohort") {
    // What a filter is called is a label: its value has the cohorts.
    if ("value" in query) return [query.value].flat().includes(id)
    return "name" in query && Number(query.name) === id
  }
  return Object.values(query).some((part) => namesCohort(part, id))
}
