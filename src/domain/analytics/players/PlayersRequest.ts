import { Either } from "effect"
import type { PlannedCondition } from "../../cohorts/CohortPlan.ts"
import type { CohortId } from "../../Ids.ts"
import type { FilterCondition } from "../filter/Filter.ts"
import { type FiltersRequest, planFilter } from "../filter/FilterRequest.ts"
import type { Checked } from "../question/QueryProblem.ts"
import type { PlayerPlace, PlayersPlan, PlayersSort, SortDirection } from "./PlayersPlan.ts"

/** A page of players as it is asked for. */
export interface PlayersRequest extends FiltersRequest {
  readonly search?: string | undefined
  readonly cohortId?: CohortId | undefined
  readonly properties: ReadonlyArray<string>
  readonly sort: PlayersSort
  readonly direction?: SortDirection | undefined
  readonly limit: number
}

/** The newest and the largest first, and ids from the beginning of the alphabet. */
export const standardDirection = (sort: PlayersSort): SortDirection => (sort === "unitId" ? "ascending" : "descending")

const plannedOf = (condition: FilterCondition): ReadonlyArray<PlannedCondition> => {
  if ("operator" in condition) return [{ type: "property", comparison: condition }]
  return "members" in condition ? [] : [{ type: "reference", reference: condition }]
}

/** Plans a page of players after a place. The cohort and the filters must both hold. */
export const planPlayers = (
  { search = "", cohortId, properties, sort, direction, limit, ...filtering }: PlayersRequest,
  after: PlayerPlace | null
): Checked<PlayersPlan, "invalid" | "reference"> =>
  Either.map(planFilter(filtering, ""), ({ match, conditions }) => {
    const ofCohort: ReadonlyArray<PlannedCondition> =
      cohortId === undefined
        ? []
        : [{ type: "reference", reference: { source: "cohort", cohortIds: [cohortId], isIn: true } }]
    const filters = conditions.flatMap(plannedOf)
    const isAny = match === "any" && filters.length > 0
    const others = isAny ? [{ op: "or" as const, negate: false, children: filters }] : filters
    return {
      prefix: search,
      who: { op: "and", negate: false, children: [...ofCohort, ...others] },
      properties,
      sort,
      direction: direction ?? standardDirection(sort),
      limit,
      after
    }
  })
