import { Either } from "effect"
import type { BreakdownRequest, FiltersRequest, SelectorRequest } from "../filter/FilterRequest.ts"
import { planBreakdowns, planFilter, planSelector } from "../filter/FilterRequest.ts"
import { type Checked, problem, together } from "../question/QueryProblem.ts"
import { columnsOf } from "./RetentionCells.ts"
import type { Criterion, RetentionAnswer, RetentionPlan } from "./RetentionPlan.ts"
import { type RetentionFault, retentionFault } from "./RetentionRules.ts"
import { retentionPeriods } from "./RetentionTable.ts"
import { type Asking, type TimeQuery, maximumPoints, planTime } from "../time/TimeQuery.ts"

type Bracket = readonly [from: number, to: number]

export interface RetentionQuery extends FiltersRequest {
  readonly time: TimeQuery
  readonly start: SelectorRequest
  /** Undefined: the same as the start. */
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

/** The criterion that a query asks for. */
export const criterionOf = ({ criterion, intervals }: RetentionQuery): Criterion =>
  typeof criterion === "string"
    ? { type: criterion, columns: intervals }
    : { type: "brackets", brackets: criterion.brackets }

const explain = (fault: RetentionFault): Checked<never> => {
  switch (fault._tag) {
    case "NoColumns":
      return problem("invalid", "intervals: expected at least one")
    case "Brackets":
      return problem("invalid", `criterion.brackets.${fault.bracket}: brackets begin at 1 and follow without a gap`)
    case "Occurrences":
      return problem("invalid", "minimumOccurrences: expected at least 1")
    case "DatedByReturn":
      return problem("invalid", "dateBy: return needs the criterion on and the window calendar")
  }
}

const tooMany = problem(
  "limit",
  `time: the result would have more than ${maximumPoints} points (periods × intervals × groups): ask for a shorter time or fewer intervals, or lower breakdownLimit`
)

/** What the store is asked for retention, or why it cannot be. */
export const planRetention = (query: RetentionQuery, asking: Asking): Checked<RetentionPlan> =>
  Either.gen(function* () {
    const { interval, dateBy, startMode, window, minimumOccurrences } = query
    const criterion = criterionOf(query)
    const fault = retentionFault({ criterion, minimumOccurrences, dateBy, window })
    const { time, ...parts } = yield* together({
      sound: fault === null ? Either.right({}) : explain(fault),
      time: planTime({ ...query.time, step: interval }, asking),
      start: planSelector(query.start, "start."),
      return: planSelector(query.return ?? query.start, "return."),
      filter: planFilter(query, ""),
      breakdowns: planBreakdowns(query.breakdowns)
    })
    const table = retentionPeriods(time, { criterion, window, dateBy }, asking.now)
    if (table.rows * columnsOf(criterion).length > maximumPoints) return yield* tooMany
    return {
      start: parts.start,
      return: parts.return,
      filter: parts.filter,
      ...table,
      startMode,
      criterion,
      window,
      minimumOccurrences,
      dateBy,
      breakdowns: parts.breakdowns,
      breakdownLimit: query.breakdownLimit
    }
  })

/** Refuses an answer of more than `maximumPoints` cells. */
export const checkRetentionSize = (plan: RetentionPlan, { series }: RetentionAnswer): Checked<void> =>
  series.length * plan.rows * columnsOf(plan.criterion).length > maximumPoints ? tooMany : Either.void
