import { DateTime, Either } from "effect"
import { chosenGroup, type GroupRequest } from "../filter/ChosenGroup.ts"
import { type Checked, problem } from "../question/QueryProblem.ts"
import type { UnitPaging } from "../question/UnitList.ts"
import type { Asking } from "../time/TimeQuery.ts"
import { columnsOf } from "./RetentionCells.ts"
import type { RetentionPlan } from "./RetentionPlan.ts"
import { planRetention, type RetentionQuery } from "./RetentionQuery.ts"
import type { RetentionUnitsPlan } from "./RetentionUnits.ts"

/** Names one number of a retention table. */
export interface RetentionSelection {
  /** The start of the row. */
  readonly start: DateTime.Utc
  /** From 1, as the answer counts them; 0 for all units that the row begins with. */
  readonly interval: number
  readonly outcome: "returned" | "left"
  readonly breakdown: GroupRequest
}

export interface RetentionUnitsQuery extends RetentionQuery {
  readonly select: RetentionSelection
}

const rowOf = ({ start }: RetentionSelection, { periods, firstRow, rows }: RetentionPlan): Checked<number> => {
  const row = periods.boundaries.indexOf(DateTime.toEpochMillis(start)) - firstRow
  return row >= 0 && row < rows
    ? Either.right(row)
    : problem("invalid", `select.start: no row of the table begins at ${DateTime.formatIso(start)}`)
}

const columnOf = ({ interval }: RetentionSelection, { criterion }: RetentionPlan): Checked<number | null> => {
  const last = columnsOf(criterion).length
  return interval <= last
    ? Either.right(interval === 0 ? null : interval - 1)
    : problem("invalid", `select.interval: expected an interval of the table, 1 to ${last}, or 0 for the whole row`)
}

/** Plans one page of the units behind a number of a retention table, or tells why it cannot be asked. */
export const planRetentionUnits = (
  query: RetentionUnitsQuery,
  page: UnitPaging,
  asking: Asking
): Checked<RetentionUnitsPlan> =>
  Either.gen(function* () {
    const { select } = query
    const plan = yield* planRetention(query, asking)
    return {
      retention: plan,
      row: yield* rowOf(select, plan),
      column: yield* columnOf(select, plan),
      outcome: select.outcome,
      group: yield* chosenGroup(plan.breakdowns, select.breakdown),
      ...page
    }
  })
