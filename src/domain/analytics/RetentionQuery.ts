import { Either } from "effect"
import type { BreakdownRequest, FiltersRequest, SelectorRequest } from "./FilterRequest.ts"
import { planBreakdowns, planFilter, planSelector } from "./FilterRequest.ts"
import { type Checked, problem } from "./QueryProblem.ts"
import { columnsOf } from "./RetentionCells.ts"
import type { Criterion, RetentionAnswer, RetentionPlan } from "./RetentionPlan.ts"
import { retentionPeriods } from "./RetentionTable.ts"
import { type Asking, type TimeQuery, maximumPoints, planTime } from "./TimeQuery.ts"

type Bracket = readonly [from: number, to: number]

export interface RetentionQuery extends FiltersRequest {
  readonly time: TimeQuery
  readonly start: SelectorRequest
  /** Undefined: the start. */
  readonly return?: SelectorRequest | undefined
  readonly interval: "day" | "week" | "month"
  readonly intervals: number
  readonly startMode: "recurring" | "firstTime"
  readonly criterion: "on" | "onOrBefore" | "onOrAfter" | { readonly brackets: ReadonlyArray<Bracket> }
  readonly window: "calendar" | "rolling24h"
  readonly minimumOccurrences: number
  readonly dateBy: "start" | "return"
  readonly breakdowns: ReadonlyArray<BreakdownRequest>
  readonly breakdownLimit: number
}

const criterionOf = ({ criterion, intervals }: RetentionQuery): Checked<Criterion> => {
  if (typeof criterion === "string") return Either.right({ type: criterion, columns: intervals })
  const { brackets } = criterion
  const broken = brackets.findIndex(([from, to], index) => from !== (brackets[index - 1]?.[1] ?? 0) + 1 || to < from)
  return broken < 0
    ? Either.right({ type: "brackets", brackets })
    : problem("invalid", `criterion.brackets.${broken}: brackets begin at 1 and follow each other without a gap`)
}

const checkDating = ({ dateBy, criterion, window }: RetentionQuery): Checked<void> =>
  dateBy === "return" && (criterion !== "on" || window !== "calendar")
    ? problem("invalid", "dateBy: return needs the criterion on and the window calendar")
    : Either.void

/** What the store is asked for retention, or why it cannot be. */
export const planRetention = (query: RetentionQuery, asking: Asking): Checked<RetentionPlan> =>
  Either.gen(function* () {
    const { interval, intervals, dateBy, startMode, window, minimumOccurrences } = query
    yield* checkDating(query)
    const criterion = yield* criterionOf(query)
    const time = yield* planTime({ ...query.time, step: interval }, asking)
    return {
      start: yield* planSelector(query.start, "start."),
      return: yield* planSelector(query.return ?? query.start, "return."),
      filter: yield* planFilter(query, ""),
      ...retentionPeriods(time, intervals, criterion, dateBy, asking.now),
      startMode,
      criterion,
      window,
      minimumOccurrences,
      dateBy,
      breakdowns: yield* planBreakdowns(query.breakdowns),
      breakdownLimit: query.breakdownLimit
    }
  })

/** Refuses an answer with too many cells. */
export const checkRetentionSize = (plan: RetentionPlan, { series }: RetentionAnswer): Checked<void> =>
  series.length * plan.rows * columnsOf(plan.criterion).length > maximumPoints
    ? problem("limit", `breakdowns: more than ${maximumPoints} points in the result`)
    : Either.void
