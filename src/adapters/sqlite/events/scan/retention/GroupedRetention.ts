import type { RetentionAnswer, RetentionPlan } from "../../../../../domain/analytics/retention/RetentionPlan.ts"
import {
  type CountedGroup,
  groupedSeries,
  retentionRows,
  shownPeriods
} from "../../../../../domain/analytics/retention/RetentionTally.ts"
import type { UnitGrouping } from "../../read/UnitGrouping.ts"
import { RetentionBits } from "./RetentionBits.ts"
import { eachUnitOf, unite, type UnitBits } from "../UnitBits.ts"

/** By period, the units that started in it and those that returned in it. */
export interface PeriodSets {
  readonly starts: ReadonlyArray<UnitBits>
  readonly returns: ReadonlyArray<UnitBits>
}

/** Counts the cohorts of each group. */
const countedGroups = (
  plan: RetentionPlan,
  starts: ReadonlyArray<UnitBits>,
  { groupOf, groups }: UnitGrouping
): ReadonlyArray<CountedGroup> => {
  const counted = groups.map((values): CountedGroup => ({ values, total: 0, isShown: false }))
  const { isRow, isShown } = shownPeriods(plan)
  for (const [period, units] of starts.entries()) {
    if (isShown[period] !== true) continue
    const size = isRow[period] === true ? 1 : 0
    eachUnitOf(units, (unit) => {
      const group = counted[groupOf[unit]!]!
      group.total += size
      group.isShown = true
    })
  }
  return counted
}

/**
 * Sets of units in another order: those of a series stand beside each other, from the start of a word on, so that a series is a stretch of
 * each set and all series together are counted at the price of one.
 */
class BySeries {
  /** By series, the word at which it begins; at the end, the number of words. */
  private readonly bounds: ReadonlyArray<number>
  /** By unit number, one more than its place; 0 for units that are left out. */
  private readonly places: Uint32Array

  /** Leaves out all units but the given ones. */
  constructor(units: UnitBits, series: number, seriesOf: (unit: number) => number) {
    const lengths = new Uint32Array(series)
    eachUnitOf(units, (unit) => void lengths[seriesOf(unit)]!++)
    const bounds = [0]
    for (const length of lengths) bounds.push(bounds[bounds.length - 1]! + Math.ceil(length / 32))
    const next = Uint32Array.from(lengths, (_, at) => 32 * bounds[at]!)
    this.bounds = bounds
    this.places = new Uint32Array(32 * units.length)
    eachUnitOf(units, (unit) => {
      this.places[unit] = ++next[seriesOf(unit)]!
    })
  }

  /** The set as stretches, one for each series. */
  stretches(units: UnitBits): ReadonlyArray<UnitBits> {
    const { places, bounds } = this
    const words = new Uint32Array(bounds[bounds.length - 1]!)
    eachUnitOf(units, (unit) => {
      const place = places[unit]! - 1
      if (place >= 0) words[place >>> 5]! |= 1 << (place & 31)
    })
    return bounds.slice(1).map((end, at) => words.subarray(bounds[at], end))
  }
}

/** Answers calendar periods, each unit being in one group, from a bit for each unit and period. */
export const groupedRetention = (
  plan: RetentionPlan,
  { starts, returns }: PeriodSets,
  grouping: UnitGrouping
): RetentionAnswer =>
  groupedSeries(countedGroups(plan, starts, grouping), plan.breakdownLimit, (shown) => {
    const places = new Map(shown.map(({ values }, at) => [values, at]))
    const seriesOf = grouping.groups.map((values) => places.get(values) ?? shown.length)
    const begun = new Uint32Array(starts[0]?.length ?? 0)
    for (const units of starts) unite(begun, units)
    const order = new BySeries(begun, shown.length + 1, (unit) => seriesOf[grouping.groupOf[unit]!]!)
    const started = starts.map((units) => order.stretches(units))
    const returned = returns.map((units) => order.stretches(units))
    return (group) => {
      const series = group === null ? shown.length : (places.get(group.values) ?? shown.length)
      const own = (sets: ReadonlyArray<ReadonlyArray<UnitBits>>) => sets.map((set) => set[series]!)
      const { sizes, counts } = new RetentionBits(own(started), own(returned)).count(plan)
      return retentionRows(plan, sizes, counts)
    }
  })
