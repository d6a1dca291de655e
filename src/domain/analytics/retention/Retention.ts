import { type Dimension, type GroupValues, groupKey, groupOf } from "../filter/Breakdown.ts"
import { type StoredEvent, byTime } from "../markers/Event.ts"
import { groupBy } from "../filter/Grouping.ts"
import type { RetentionAnswer, RetentionPlan } from "./RetentionPlan.ts"
import { type GroupCells, RetentionTally } from "./RetentionTally.ts"
import { selectorTest } from "../filter/Selector.ts"
import { unitRetention } from "./UnitRetention.ts"

type Events = ReadonlyArray<StoredEvent>

const latestValue = (own: Events, dimension: Dimension): GroupValues[number] => {
  const value = groupOf([dimension])
  let latest: StoredEvent | null = null
  for (const event of own) {
    if (value(event)[0] !== null && (latest === null || byTime(latest, event) < 0)) latest = event
  }
  return latest === null ? null : (value(latest)[0] ?? null)
}

/**
 * The groups that a unit's markers belong to. An argument is each marker's own; any other dimension belongs to the unit
 * (a property by its latest value).
 */
const unitGroups = (dimensions: ReadonlyArray<Dimension>, own: Events): ((event: StoredEvent) => GroupValues) => {
  const values = dimensions.map((dimension) => {
    if (dimension.source === "argument") return groupOf([dimension])
    const fixed = dimension.source === "property" ? [latestValue(own, dimension)] : groupOf([dimension])(own[0]!)
    return () => fixed
  })
  return (event) => values.map((value) => value(event)[0] ?? null)
}

const earliest = (events: Events): Events =>
  events.length === 0 ? [] : [events.reduce((a, b) => (byTime(b, a) < 0 ? b : a))]

/** The starts and returns of one unit in one group, epoch ms. */
export interface GroupedInstants {
  readonly group: GroupValues
  readonly starts: ReadonlyArray<number>
  readonly returns: ReadonlyArray<number>
}

/** The starts of one unit and the returns after them, for each group that it starts in, from all its markers. */
export const unitInstants = (plan: RetentionPlan): ((own: Events) => ReadonlyArray<GroupedInstants>) => {
  const isStart = selectorTest(plan.start, plan.filter)
  const isReturn = selectorTest(plan.return, plan.filter)
  const instant = ({ timestamp }: StoredEvent): number => timestamp
  return (own) => {
    const values = unitGroups(plan.breakdowns, own)
    const key = (event: StoredEvent): string => groupKey(values(event))
    const starts = own.filter(isStart)
    const returns = groupBy(own.filter(isReturn), key)
    return [...groupBy(plan.startMode === "firstTime" ? earliest(starts) : starts, key)].map(([group, begun]) => ({
      group: values(begun[0]!),
      starts: begun.map(instant),
      returns: (returns.get(group) ?? []).map(instant)
    }))
  }
}

/** The cells that one unit counts in, for each of its groups, from all its markers. */
export const unitCells = (plan: RetentionPlan): ((own: Events) => ReadonlyArray<GroupCells>) => {
  const instantsOf = unitInstants(plan)
  const cellsOf = unitRetention(plan)
  return (own) => instantsOf(own).map(({ group, starts, returns }) => ({ group, cells: cellsOf(starts, returns) }))
}

/** Answers a retention question from the markers of one environment, in any order. */
export const retention = (events: Events, plan: RetentionPlan): RetentionAnswer => {
  const cellsOf = unitCells(plan)
  const tally = new RetentionTally(plan)
  for (const [unitId, own] of groupBy(events, ({ unitId }) => unitId)) if (unitId !== null) tally.add(cellsOf(own))
  return tally.answer()
}
