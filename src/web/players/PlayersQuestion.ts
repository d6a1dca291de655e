import type { FilterState } from "../builder/Filters.ts"
import { filterBody, filterOf, filterText, isFinished } from "../builder/Filters.ts"
import type { Codec } from "../url/Codec.ts"

export const sorts = ["lastSeen", "firstSeen", "markerCount", "unitId"] as const

export type Sort = (typeof sorts)[number]

/** Which players the page lists, and what of them. */
export interface PlayersQuestion {
  /** How the id begins. */
  readonly search: string
  /** Null: in whatever cohort. */
  readonly cohortId: number | null
  readonly filters: ReadonlyArray<FilterState>
  readonly match: "all" | "any"
  /** Properties that have a column. */
  readonly columns: ReadonlyArray<string>
  readonly sort: Sort
  /** Whether the other end comes first than the one a reader expects. */
  readonly isReversed: boolean
}

const mostColumns = 20

const sortOf = (text: string | null): Sort => sorts.find((sort) => sort === text) ?? "lastSeen"

export const playersCodec: Codec<PlayersQuestion> = {
  read: (parameters) => {
    const cohortId = Number(parameters.get("cohort") ?? 0)
    const filters = parameters.getAll("f").flatMap((text) => filterOf(text) ?? [])
    return {
      search: parameters.get("id") ?? "",
      cohortId: Number.isInteger(cohortId) && cohortId > 0 ? cohortId : null,
      filters: filters.filter(({ source }) => source === "property"),
      match: parameters.get("match") === "any" ? "any" : "all",
      columns: [...new Set(parameters.getAll("col"))].filter((name) => name !== "").slice(0, mostColumns),
      sort: sortOf(parameters.get("sort")),
      isReversed: parameters.get("reverse") === "1"
    }
  },
  write: ({ search, cohortId, filters, match, columns, sort, isReversed }) => {
    const parameters = new URLSearchParams()
    if (search !== "") parameters.set("id", search)
    if (cohortId !== null) parameters.set("cohort", String(cohortId))
    for (const filter of filters) parameters.append("f", filterText(filter))
    if (match === "any") parameters.set("match", "any")
    for (const name of columns) parameters.append("col", name)
    if (sort !== "lastSeen") parameters.set("sort", sort)
    if (isReversed) parameters.set("reverse", "1")
    return parameters
  }
}

/** Whether the smallest comes first: of ids that is what a reader expects, of times and counts it is not. */
export const isAscending = ({ sort, isReversed }: PlayersQuestion): boolean => (sort === "unitId") !== isReversed

/** The question as the API takes it. */
export const playersQuery = (question: PlayersQuestion) => {
  const { search, cohortId, match, columns, sort } = question
  const filters = question.filters.filter(isFinished).map(filterBody)
  return {
    search,
    cohortId: cohortId ?? undefined,
    filters: filters.length === 0 ? undefined : JSON.stringify(filters),
    match: filters.length > 1 ? match : undefined,
    properties: columns,
    sort,
    direction: isAscending(question) ? "ascending" : "descending"
  }
}

/** Whether the page asks for some players instead of all. */
export const isNarrowed = ({ search, cohortId, filters }: PlayersQuestion): boolean =>
  search !== "" || cohortId !== null || filters.some(isFinished)
