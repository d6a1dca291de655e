import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import type { StoredEvent } from "../../../../domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../../domain/analytics/filter/Filter.ts"
import { unitCells, unitInstants } from "../../../../domain/analytics/retention/Retention.ts"
import { retentionRows, RetentionTally } from "../../../../domain/analytics/retention/RetentionTally.ts"
import type { RetentionAnswer, RetentionPlan } from "../../../../domain/analytics/retention/RetentionPlan.ts"
import { whole } from "../../../../domain/analytics/filter/Breakdown.ts"
import { returnRange, startRange } from "../../../../domain/analytics/retention/RetentionCells.ts"
import {
  cellRanges,
  listedRetention,
  type RetentionUnitsPlan
} from "../../../../domain/analytics/retention/RetentionUnits.ts"
import { rewritten } from "../../../../domain/analytics/question/References.ts"
import { type ListedUnit, pageOfUnits, type UnitList } from "../../../../domain/analytics/question/UnitList.ts"
import { activeUnits, clipped, newUnits } from "./ActiveUnits.ts"
import { firstRows } from "./FirstRows.ts"
import { PartialEvents } from "../read/PartialEvents.ts"
import { groupedRetention, type PeriodSets } from "./GroupedRetention.ts"
import { RetentionBits } from "./RetentionBits.ts"
import type { Selection } from "../read/Selection.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import { addUnits, noUnits, type UnitBits } from "./UnitBits.ts"
import type { RowMark } from "../read/MarkedRows.ts"
import { unitGrouping } from "../read/UnitGrouping.ts"
import { UnitRows } from "../read/UnitRows.ts"

const always: TimeSpan = { from: -Infinity, to: Infinity }
const bit = { start: 1, return: 2 } as const
const typeOf = ["other", "start", "return", "both"] as const

const hull = ({ periods: { boundaries } }: RetentionPlan): TimeSpan => ({
  from: boundaries[0]!,
  to: boundaries[boundaries.length - 1]!
})

const startsOf = (plan: RetentionPlan, snapshot: Snapshot): Array<Selection> =>
  snapshot.selectBy(plan.start, plan.filter, plan.startMode === "firstTime" ? always : startRange(plan))

const setsOf = (selections: ReadonlyArray<Selection>, ranges: ReadonlyArray<TimeSpan>, units: number) => {
  const sets = ranges.map(() => noUnits(units))
  addUnits(selections, ranges, sets)
  return sets
}

const startSets = (
  plan: RetentionPlan,
  snapshot: Snapshot,
  periods: ReadonlyArray<TimeSpan>
): ReadonlyArray<UnitBits> => {
  const { units } = snapshot.environment
  const ranges = clipped(periods, startRange(plan))
  const known =
    plan.startMode === "firstTime"
      ? newUnits(snapshot, plan.start, plan.filter, ranges)
      : activeUnits(snapshot, plan.start, plan.filter, ranges)
  if (known !== null) return known
  const begun = startsOf(plan, snapshot)
  return setsOf(plan.startMode === "firstTime" ? firstRows(begun, units, startRange(plan)) : begun, ranges, units)
}

const periodSets = (plan: RetentionPlan, snapshot: Snapshot): PeriodSets => {
  const { boundaries } = plan.periods
  const ranges = boundaries.slice(1).map((to, period) => ({ from: boundaries[period]!, to }))
  const returns =
    activeUnits(snapshot, plan.return, plan.filter, ranges) ??
    setsOf(snapshot.selectBy(plan.return, plan.filter, hull(plan)), ranges, snapshot.environment.units)
  return { starts: startSets(plan, snapshot, ranges), returns }
}

/** Answers calendar periods from bitmaps, one bit for each unit and period, where each unit is in one group. */
const scanPeriods = (plan: RetentionPlan, snapshot: Snapshot): RetentionAnswer => {
  const hasProperty = plan.breakdowns.some(({ source }) => source === "property")
  snapshot.control.selections(hasProperty ? 3 : 2)
  const sets = periodSets(plan, snapshot)
  if (plan.breakdowns.length > 0) return groupedRetention(plan, sets, unitGrouping(plan.breakdowns, snapshot))
  const { sizes, counts } = new RetentionBits(sets.starts, sets.returns).count(plan)
  return { series: [{ group: whole, rows: retentionRows(plan, sizes, counts) }] }
}

interface Starts {
  readonly starts: Array<Selection>
  readonly returns: TimeSpan
}

const marksOf = (plan: RetentionPlan, snapshot: Snapshot, { starts, returns }: Starts): Array<RowMark> => {
  const marks: Array<RowMark> = []
  snapshot.control.selections(2)
  for (const selection of starts) marks.push({ selection, bits: bit.start, others: 0 })
  for (const selection of snapshot.selectBy(plan.return, plan.filter, returns))
    marks.push({ selection, bits: bit.return, others: 0 })
  if (plan.breakdowns.some(({ source }) => source === "property"))
    for (const selection of snapshot.selectAll(null, [], always)) marks.push({ selection, bits: 0, others: 0 })
  return marks
}

/** The plan for markers whose type tells whether they are a start, a return or both. */
const marked = (plan: RetentionPlan): RetentionPlan => ({
  ...plan,
  start: { types: ["start", "both"], filter: unfiltered },
  return: { types: ["return", "both"], filter: unfiltered },
  filter: unfiltered
})

/** Calls `take` for each unit with marked rows, with its markers as `marked` expects them. */
const eachUnit = (
  plan: RetentionPlan,
  snapshot: Snapshot,
  marks: Array<RowMark>,
  take: (unitId: string, own: ReadonlyArray<StoredEvent>) => void
): void => {
  const rows = new UnitRows(marks, snapshot.environment.units, { sequences: true, rows: true }, snapshot.memory)
  const events = new PartialEvents(rows, plan.breakdowns)
  rows.each((unit, track) => {
    const unitId = snapshot.environment.unitName(unit) ?? ""
    take(
      unitId,
      events.of(unitId, track, (at) => typeOf[track.steps[at]!]!)
    )
  }, snapshot.control)
}

/** Answers every other retention question unit by unit, through the domain's pure function. */
const scanUnits = (plan: RetentionPlan, snapshot: Snapshot): RetentionAnswer => {
  const marks = marksOf(plan, snapshot, { starts: startsOf(plan, snapshot), returns: returnRange(plan) })
  const cellsOf = unitCells(marked(plan))
  const tally = new RetentionTally(plan)
  eachUnit(plan, snapshot, marks, (_, own) => tally.add(cellsOf(own)))
  return tally.answer()
}

/** Answers a retention question by scanning columns. Equals the domain's pure function over the same markers. */
export const scanRetention = (plan: RetentionPlan, snapshot: Snapshot): RetentionAnswer =>
  plan.window === "calendar" &&
  plan.minimumOccurrences === 1 &&
  plan.breakdowns.every(({ source }) => source !== "argument")
    ? scanPeriods(plan, snapshot)
    : scanUnits(rewritten.retention(plan, snapshot.naming), snapshot)

/** The units behind one number of a retention table. Reads the starts and returns of its cell alone. */
export const scanRetentionUnits = (plan: RetentionUnitsPlan, snapshot: Snapshot): UnitList => {
  const asked = plan.retention
  const { starts, returns } = cellRanges(plan)
  const begun = snapshot.selectBy(asked.start, asked.filter, asked.startMode === "firstTime" ? always : starts)
  const marks = marksOf(asked, snapshot, { starts: begun, returns })
  const instantsOf = unitInstants(marked(asked))
  const listed = listedRetention(plan, () => scanRetention(asked, snapshot).series.map(({ group }) => group))
  const units = new Map<string, Omit<ListedUnit, "unitId">>()
  eachUnit(asked, snapshot, marks, (unitId, own) => {
    const unit = listed(instantsOf(own))
    if (unit !== null) units.set(unitId, unit)
  })
  return pageOfUnits(units, plan)
}
