import type { BreakdownGroup } from "../filter/Breakdown.ts"
import { groupTest } from "../filter/ChosenGroup.ts"
import { groupBy } from "../filter/Grouping.ts"
import type { StoredEvent } from "../markers/Event.ts"
import { type ListedUnit, pageOfUnits, type UnitList, type UnitPaging } from "../question/UnitList.ts"
import { bucketAt, type TimeSpan } from "../time/Buckets.ts"
import { ColumnBits } from "./ColumnBits.ts"
import { type GroupedInstants, retention, unitInstants } from "./Retention.ts"
import { type RetentionColumn, columnsOf, rollingLength, startRange } from "./RetentionCells.ts"
import type { RetentionPlan } from "./RetentionPlan.ts"
import { unitRetention } from "./UnitRetention.ts"

/** Which units behind a number of a retention table to list. */
export interface RetentionUnitsPlan extends UnitPaging {
  readonly retention: RetentionPlan
  /** From 0. */
  readonly row: number
  /** From 0; null chooses all units that the row begins with. */
  readonly column: number | null
  /** `left`: those of the cell's cohort that did not return. Of a whole row nobody has left. */
  readonly outcome: "returned" | "left"
  readonly group: BreakdownGroup
}

/** The period that the units of the cell started in, as an index into the plan's periods. */
export const cohortOf = ({ retention: { firstRow, dateBy, criterion }, row, column }: RetentionUnitsPlan): number => {
  const period = firstRow + row
  return dateBy === "return" && column !== null ? period - (columnsOf(criterion)[column]?.[0] ?? 0) : period
}

const columnOf = ({ retention: { criterion }, column }: RetentionUnitsPlan): RetentionColumn | null =>
  column === null ? null : (columnsOf(criterion)[column] ?? null)

/** The instants of the starts and of the returns that decide about the cell. */
export const cellRanges = (plan: RetentionUnitsPlan): { readonly starts: TimeSpan; readonly returns: TimeSpan } => {
  const { boundaries, step } = plan.retention.periods
  const cohort = cohortOf(plan)
  const [from = 0, to = 0] = boundaries.slice(cohort, cohort + 2)
  const column = columnOf(plan)
  const starts = { from, to: Math.min(to, startRange(plan.retention).to) }
  if (column === null) return { starts, returns: { from, to: from } }
  if (plan.retention.window === "rolling24h")
    return { starts, returns: { from, to: to + (column[1] + 1) * rollingLength[step] } }
  const last = boundaries.length - 1
  const at = (period: number): number => boundaries[Math.min(period, last)]!
  return { starts, returns: { from: at(cohort + column[0]), to: at(cohort + column[1] + 1) } }
}

type Found = Omit<ListedUnit, "unitId"> & { readonly value: number; readonly hasReturned: boolean }

/** What one unit did about the cell, from its instants in one group; null when it is not of the cell's cohort. */
const cellOf = (plan: RetentionUnitsPlan): ((instants: GroupedInstants) => Found | null) => {
  const { boundaries, step } = plan.retention.periods
  const column = columnOf(plan)
  const cohort = cohortOf(plan)
  const cellsOf = unitRetention(plan.retention)
  const columns = new ColumnBits(plan.retention.criterion)
  const ranges = cellRanges(plan)
  const isIn = (instant: number, interval: number): boolean =>
    column !== null && interval >= column[0] && interval <= column[1] && instant < ranges.returns.to
  return ({ starts, returns }) => {
    const { cohorts, retained } = cellsOf(starts, returns)
    const place = cohorts.indexOf(cohort)
    if (place < 0) return null
    const begun = starts.filter((start) => start >= ranges.starts.from && start < ranges.starts.to)
    const counted = returns.filter((instant) =>
      plan.retention.window === "calendar"
        ? isIn(instant, bucketAt(boundaries, instant) - cohort)
        : begun.some((start) => isIn(instant, Math.floor((instant - start) / rollingLength[step])))
    )
    return {
      hasReturned: plan.column === null || columns.has(retained, place, plan.column),
      value: plan.column === null ? begun.length : counted.length,
      lastAt: [...begun, ...counted].reduce((last, instant) => Math.max(last, instant), -Infinity)
    }
  }
}

/**
 * Returns a function that tells of one unit, from its instants by group, whether it is listed. A unit of several groups
 * that the answer merges is retained when it is in any of them. `shown` tells the groups that the answer shows.
 */
export const listedRetention = (
  plan: RetentionUnitsPlan,
  shown: () => ReadonlyArray<BreakdownGroup>
): ((own: ReadonlyArray<GroupedInstants>) => Omit<ListedUnit, "unitId"> | null) => {
  const isChosen = groupTest(plan.group, shown)
  const found = cellOf(plan)
  return (own) => {
    const cells = own.filter(({ group }) => isChosen(group)).flatMap((instants) => found(instants) ?? [])
    const hasReturned = cells.some((cell) => cell.hasReturned)
    if (cells.length === 0 || hasReturned !== (plan.outcome === "returned")) return null
    const value = cells.reduce((sum, cell) => sum + cell.value, 0)
    return { value, lastAt: cells.reduce((last, cell) => Math.max(last, cell.lastAt), -Infinity) }
  }
}

/**
 * The units behind one number of a retention table. They come from the same computation as the number, so list and
 * count agree. A unit's value is the number of its returns in the cell's intervals, or of its starts in the whole row.
 */
export const retentionUnits = (events: ReadonlyArray<StoredEvent>, plan: RetentionUnitsPlan): UnitList => {
  const asked = plan.retention
  const instantsOf = unitInstants(asked)
  const listed = listedRetention(plan, () => retention(events, asked).series.map(({ group }) => group))
  const units = new Map<string, Omit<ListedUnit, "unitId">>()
  for (const [unitId, own] of groupBy(events, (event) => event.unitId)) {
    const unit = unitId === null ? null : listed(instantsOf(own))
    if (unitId !== null && unit !== null) units.set(unitId, unit)
  }
  return pageOfUnits(units, plan)
}
