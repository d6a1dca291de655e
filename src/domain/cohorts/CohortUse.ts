/**
 * What stands for ids of cohorts in the filters and breakdowns of a query, which is JSON in the form of the API. One pass for however many cohorts
 * are looked for.
 */
export const cohortsNamed = (query: unknown, into: Set<unknown> = new Set()): ReadonlySet<unknown> => {
  if (typeof query !== "object" || query === null) return into
  if ("source" in query && query.source === "cohort") {
    // What a filter is called is a label: its value has the cohorts.
    if ("value" in query) for (const id of [query.value].flat()) into.add(id)
    else if ("name" in query) into.add(Number(query.name))
    return into
  }
  for (const part of Object.values(query)) cohortsNamed(part, into)
  return into
}
