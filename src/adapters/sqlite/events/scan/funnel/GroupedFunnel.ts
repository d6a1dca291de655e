import {
  type BreakdownGroup,
  type GroupValues,
  other,
  topGroups
} from "../../../../../domain/analytics/filter/Breakdown.ts"
import { groupTest } from "../../../../../domain/analytics/filter/ChosenGroup.ts"
import type { FunnelAnswer, FunnelPlan, FunnelSeries } from "../../../../../domain/analytics/funnel/FunnelPlan.ts"
import { outermostCodes } from "../../read/OutermostRows.ts"
import type { Selection } from "../../read/Selection.ts"
import type { Snapshot } from "../../read/Snapshot.ts"
import { type UnitGrouping, unitGrouping } from "../../read/UnitGrouping.ts"
import type { FunnelLevels } from "./FunnelLevels.ts"
import { FunnelTally } from "./FunnelTally.ts"
import { Grouper } from "../Grouper.ts"

/** By unit number, the group of its first or last marker in the funnel that has a value of any dimension. */
const touchedGroups = (
  { breakdowns }: FunnelPlan,
  which: "first" | "last",
  selections: ReadonlyArray<Selection>,
  snapshot: Snapshot
): UnitGrouping => {
  const grouper = new Grouper(breakdowns, snapshot)
  /** By group, whether it has a value of any dimension. */
  const hasValue: Array<boolean> = []
  const codes = outermostCodes(which, selections, snapshot.environment.units, (selection) => {
    snapshot.control.did(0)
    const { values, table } = grouper.groupsOf(selection)
    for (const group of grouper.groups.slice(hasValue.length)) hasValue.push(group.some((value) => value !== null))
    return (row) => {
      const group = table === null ? values[row]! : table[values[row]!]!
      return hasValue[group] === true ? group : -1
    }
  })
  const groups = [...grouper.groups, breakdowns.map(() => null)]
  return { groupOf: codes.map((code) => (code === -1 ? groups.length - 1 : code)), groups }
}

/**
 * By unit number, the group that its way through the funnel belongs to. A cohort or an experiment is the same of all markers of a unit.
 */
export const funnelGroups = (
  plan: FunnelPlan,
  selections: ReadonlyArray<Selection>,
  snapshot: Snapshot
): UnitGrouping => {
  const { attribution, breakdowns } = plan
  const { type } = attribution
  return type === "first" || type === "last"
    ? touchedGroups(plan, type, selections, snapshot)
    : unitGrouping(breakdowns, snapshot)
}

/** Whether `funnelGroups` can tell the group of each unit. */
export const isGroupOfUnit = ({ attribution: { type }, breakdowns }: FunnelPlan): boolean =>
  type === "first" ||
  type === "last" ||
  breakdowns.every(({ source }) => source === "cohort" || source === "experiment")

/** The groups of a funnel's units: each unit is in one, once it has reached so many steps. */
interface CountedGroups {
  readonly least: number
  /** How many groups there are that any unit is in. */
  readonly count: number
  /** Those that are shown, in the order of the answer. */
  readonly shown: ReadonlyArray<GroupValues>
}

const countedGroups = (
  { attribution, breakdownLimit }: FunnelPlan,
  { reached }: FunnelLevels,
  { groupOf, groups }: UnitGrouping
): CountedGroups => {
  const least = attribution.type === "step" ? attribution.step + 1 : 1
  const counts = new Float64Array(groups.length)
  for (let unit = 1; unit < reached.length; unit++) if (reached[unit]! >= least) counts[groupOf[unit]!]!++
  const scored = [...groups.entries()].filter(([place]) => counts[place]! > 0)
  const shown = topGroups(
    scored.map(([place, values]) => [values, counts[place]!] as const),
    breakdownLimit
  )
  return { least, count: scored.length, shown }
}

/** Whether a unit is in the chosen series of the answer, by its number. */
export const isInGroup = (
  plan: FunnelPlan,
  levels: FunnelLevels,
  grouping: UnitGrouping,
  chosen: BreakdownGroup
): ((unit: number) => boolean) => {
  const { least, shown } = countedGroups(plan, levels, grouping)
  const isChosen = groupTest(chosen, () => shown.map((values) => ({ values, isOther: false })))
  const ofGroups = grouping.groups.map(isChosen)
  return (unit) => levels.reached[unit]! >= least && ofGroups[grouping.groupOf[unit]!] === true
}

/** Adds up the ways of units by the groups that these are in: those with the most units, and all others together. */
export const groupedFunnelAnswer = (plan: FunnelPlan, levels: FunnelLevels, grouping: UnitGrouping): FunnelAnswer => {
  const { groupOf, groups } = grouping
  const { least, count, shown } = countedGroups(plan, levels, grouping)
  const places = new Map(shown.map((values, place) => [values, place]))
  const series = Int32Array.from(groups, (values) => places.get(values) ?? shown.length)
  const tallies = Array.from({ length: shown.length + 1 }, () => new FunnelTally(plan))
  levels.each((unit, reached, times) => {
    if (reached >= least) tallies[series[groupOf[unit]!]!]!.addReached(reached, times)
  })
  const answered = tallies.map((tally, place): FunnelSeries => ({
    group: place === shown.length ? other : { values: shown[place]!, isOther: false },
    ...tally.answer()
  }))
  return { series: count === shown.length ? answered.slice(0, -1) : answered }
}
