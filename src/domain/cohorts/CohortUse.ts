import type { CohortId } from "../Ids.ts"

/** Whether a query, as JSON in the form of the API, refers to the cohort in any filter or breakdown. */
export const namesCohort = (query: unknown, id: CohortId): boolean => {
  if (typeof query !== "object" || query === null) return false
  if ("source" in query && query.source === "cohort") {
    if ("value" in query && Array.isArray(query.value)) return query.value.includes(id)
    return "name" in query && query.name === String(id)
  }
  return Object.values(query).some((part) => namesCohort(part, id))
}
