import type { TimeSpan } from "../../../../../domain/analytics/time/Buckets.ts"
import type { GroupedInstants } from "../../../../../domain/analytics/retention/Retention.ts"
import { retentionRows, RetentionTally } from "../../../../../domain/analytics/retention/RetentionTally.ts"
import type { RetentionAnswer, RetentionPlan } from "../../../../../domain/analytics/retention/RetentionPlan.ts"
import { type GroupValues, whole } from "../../../../../domain/analytics/filter/Breakdown.ts"
import { returnRange, startRange } from "../../../../../domain/analytics/retention/RetentionCells.ts"
import { unitRetention } from "../../../../../domain/analytics/retention/UnitRetention.ts"
import {
  cellRanges,
  listedRetention,
  type RetentionUnitsPlan
} from "../../../../../domain/analytics/retention/RetentionUnits.ts"
import type { ListedUnit, UnitList } from "../../../../../domain/analytics/question/UnitList.ts"
import { activeUnits, clipped, newUnits } from "../ActiveUnits.ts"
import { firstRows } from "../FirstRows.ts"
import type { UnitTrack } from "../../read/GatheredRows.ts"
import { groupedRetention, type PeriodSets } from "./GroupedRetention.ts"
import { RetentionBits } from "./RetentionBits.ts"
import type { Selection } from "../../read/Selection.ts"
import type { Snapshot } from "../../read/Snapshot.ts"
import { addUnits, noUnits, type UnitBits } from "../UnitBits.ts"
import type { RowMark } from "../../read/MarkedRows.ts"
import { RowGrouping } from "../../read/RowGrouping.ts"
import { unitGrouping } from "../../read/UnitGrouping.ts"
import { pageOfUnitNumbers } from "../../read/UnitPage.ts"
import { type RowNumber, UnitRows } from "../../read/UnitRows.ts"

const always: TimeSpan = { from: -Infinity, to: Infinity }
const bit = { start: 1, return: 2 } as const

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
  snapshot.control.selections(2)
  const returned = snapshot.selectBy(plan.return, plan.filter, returns)
  return [
    ...starts.map((selection) => ({ selection, bits: bit.start, others: 0 })),
    ...returned.map((selection) => ({ selection, bits: bit.return, others: 0 }))
  ]
}

/** The starts of a track and the returns after them; empty where there is no start. All of them are in one group. */
const instantsOfUnit = (
  { startMode }: RetentionPlan,
  { length, steps, times }: UnitTrack,
  group: GroupValues
): ReadonlyArray<GroupedInstants> => {
  const starts: Array<number> = []
  const returns: Array<number> = []
  for (let at = 0; at < length; at++) {
    const bits = steps[at]!
    if ((bits & bit.start) !== 0 && (starts.length === 0 || startMode !== "firstTime")) starts.push(times[at]!)
    if ((bits & bit.return) !== 0) returns.push(times[at]!)
  }
  return starts.length === 0 ? [] : [{ group, starts, returns }]
}

/** The same for each group that a start is in. */
const groupedInstants = (
  { startMode }: RetentionPlan,
  track: UnitTrack,
  groupOf: (at: number) => number,
  groups: ReadonlyArray<GroupValues>
): ReadonlyArray<GroupedInstants> => {
  const found = new Map<number, { readonly starts: Array<number>; readonly returns: Array<number> }>()
  for (let at = 0; at < track.length; at++) {
    if ((track.steps[at]! & bit.start) === 0) continue
    const group = groupOf(at)
    const own = found.get(group)
    if (own === undefined) found.set(group, { starts: [track.times[at]!], returns: [] })
    else own.starts.push(track.times[at]!)
    if (startMode === "firstTime") break
  }
  for (let at = 0; at < track.length && found.size > 0; at++)
    if ((track.steps[at]! & bit.return) !== 0) found.get(groupOf(at))?.returns.push(track.times[at]!)
  return Array.from(found, ([group, instants]) => ({ group: groups[group]!, ...instants }))
}

/** Calls `take` for each unit with marked rows, with its starts and returns by group. */
const eachUnit = (
  plan: RetentionPlan,
  snapshot: Snapshot,
  marks: Array<RowMark>,
  take: (unit: number, own: ReadonlyArray<GroupedInstants>) => void
): void => {
  const { environment, memory, control } = snapshot
  const hasArgument = plan.breakdowns.some(({ source }) => source === "argument")
  // Rows of one instant matter where each has a group of its own.
  const rows = new UnitRows(marks, environment.units, { sequences: hasArgument }, memory)
  const grouping = new RowGrouping(plan.breakdowns, "ofUnits", rows.blocks, snapshot)
  const byGroup: RowNumber = (unit, block, row) => grouping.of(unit, block, row)
  rows.each(
    (unit, track) => {
      const [groups] = track.numbers
      take(
        unit,
        groups === undefined
          ? instantsOfUnit(plan, track, grouping.groups[grouping.of(unit, 0, 0)]!)
          : groupedInstants(plan, track, (at) => groups[at]!, grouping.groups)
      )
    },
    control,
    hasArgument ? [byGroup] : []
  )
}

/** Answers every other retention question unit by unit. */
const scanUnits = (plan: RetentionPlan, snapshot: Snapshot): RetentionAnswer => {
  const marks = marksOf(plan, snapshot, { starts: startsOf(plan, snapshot), returns: returnRange(plan) })
  const cellsOf = unitRetention(plan)
  const tally = new RetentionTally(plan)
  eachUnit(plan, snapshot, marks, (_, own) =>
    tally.add(own.map(({ group, starts, returns }) => ({ group, cells: cellsOf(starts, returns) })))
  )
  return tally.answer()
}

/** Answers a retention question by scanning columns. Equals the domain's pure function over the same markers. */
export const scanRetention = (plan: RetentionPlan, snapshot: Snapshot): RetentionAnswer =>
  plan.window === "calendar" &&
  plan.minimumOccurrences === 1 &&
  plan.breakdowns.every(({ source }) => source !== "argument")
    ? scanPeriods(plan, snapshot)
    : scanUnits(plan, snapshot)

/** The units behind one number of a retention table. Reads the starts and returns of its cell alone. */
export const scanRetentionUnits = (plan: RetentionUnitsPlan, snapshot: Snapshot): UnitList => {
  const asked = plan.retention
  const { starts, returns } = cellRanges(plan)
  const begun = snapshot.selectBy(asked.start, asked.filter, asked.startMode === "firstTime" ? always : starts)
  const marks = marksOf(asked, snapshot, { starts: begun, returns })
  const listed = listedRetention(plan, () => scanRetention(asked, snapshot).series.map(({ group }) => group))
  const units = new Map<number, Omit<ListedUnit, "unitId">>()
  const flags = new Uint8Array(snapshot.environment.units)
  eachUnit(asked, snapshot, marks, (unit, own) => {
    const found = listed(own)
    if (found === null) return
    units.set(unit, found)
    flags[unit] = 1
  })
  const page = pageOfUnitNumbers(flags, units.size, plan, snapshot.environment)
  return {
    units: page.map(({ unit, name }) => Object.assign({ unitId: name }, units.get(unit)!)),
    total: units.size
  }
}
