import { type Dimension, type GroupValues, groupKey, groupOf, other, topGroups, whole } from "../filter/Breakdown.ts"
import { type StoredEvent, byTime } from "../markers/Event.ts"
import { groupBy } from "../filter/Grouping.ts"
import { columnsOf } from "./RetentionCells.ts"
import type { RetentionAnswer, RetentionPlan, RetentionRow } from "./RetentionPlan.ts"
import { selectorTest } from "../filter/Selector.ts"
import { type UnitCells, unitRetention } from "./UnitRetention.ts"

type Events = ReadonlyArray<StoredEvent>

export interface GroupedCells {
  readonly unitId: string
  readonly group: GroupValues
  readonly cells: UnitCells
}

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
export const unitCells = (plan: RetentionPlan): ((unitId: string, own: Events) => ReadonlyArray<GroupedCells>) => {
  const instantsOf = unitInstants(plan)
  const cellsOf = unitRetention(plan)
  return (unitId, own) =>
    instantsOf(own).map(({ group, starts, returns }) => ({ unitId, group, cells: cellsOf(starts, returns) }))
}

const grouped = (events: Events, plan: RetentionPlan): ReadonlyArray<GroupedCells> => {
  const cellsOf = unitCells(plan)
  return [...groupBy(events, ({ unitId }) => unitId)].flatMap(([unitId, own]) =>
    unitId === null ? [] : cellsOf(unitId, own)
  )
}

/** When groups are merged, a unit in several of them counts once in each row and cell. */
const merged = (results: ReadonlyArray<GroupedCells>): ReadonlyArray<UnitCells> =>
  [...groupBy(results, ({ unitId }) => unitId).values()].map((own) => {
    const rows = new Map<number, ReadonlyArray<boolean>>()
    for (const { cells } of own) {
      cells.cohorts.forEach((cohort, i) => {
        const known = rows.get(cohort)
        rows.set(
          cohort,
          cells.retained[i]!.map((flag, column) => flag || known?.[column] === true)
        )
      })
    }
    return { cohorts: [...rows.keys()], retained: [...rows.values()] }
  })

/** The rows of an answer, from the cohort size of each period and the number of units retained in each column. */
export const retentionRows = (
  plan: RetentionPlan,
  sizes: ArrayLike<number>,
  counts: ReadonlyArray<ArrayLike<number>>
): ReadonlyArray<RetentionRow> =>
  Array.from({ length: plan.rows }, (_, row) => {
    const period = plan.firstRow + row
    return {
      size: sizes[period] ?? 0,
      cells: columnsOf(plan.criterion).map(([interval], column) => {
        const cohort = plan.dateBy === "return" ? period - interval : period
        return { count: counts[cohort]?.[column] ?? 0, of: sizes[cohort] ?? 0 }
      })
    }
  })

const count = (plan: RetentionPlan, units: ReadonlyArray<UnitCells>): ReadonlyArray<RetentionRow> => {
  const columns = columnsOf(plan.criterion)
  const periods = plan.periods.boundaries.length - 1
  const sizes = Array.from({ length: periods }, () => 0)
  const counts = sizes.map(() => columns.map(() => 0))
  for (const { cohorts, retained } of units) {
    cohorts.forEach((cohort, i) => {
      sizes[cohort]!++
      retained[i]!.forEach((flag, column) => {
        if (flag) counts[cohort]![column]!++
      })
    })
  }
  return retentionRows(plan, sizes, counts)
}

/** A retention answer from the cells of all units. */
export const retentionAnswer = (plan: RetentionPlan, results: ReadonlyArray<GroupedCells>): RetentionAnswer => {
  if (plan.breakdowns.length === 0) {
    return {
      series: [
        {
          group: whole,
          rows: count(
            plan,
            results.map(({ cells }) => cells)
          )
        }
      ]
    }
  }
  const groups = [...groupBy(results, ({ group }) => groupKey(group)).values()].map((own) => ({
    own,
    values: own[0]!.group,
    rows: count(
      plan,
      own.map(({ cells }) => cells)
    )
  }))
  const total = (rows: ReadonlyArray<RetentionRow>): number => rows.reduce((sum, { size }) => sum + size, 0)
  const isEmpty = ({ size, cells }: RetentionRow): boolean => size === 0 && cells.every(({ of }) => of === 0)
  const scored = groups.filter(({ rows }) => !rows.every(isEmpty))
  const byKey = new Map(scored.map((group) => [groupKey(group.values), group]))
  const shown = topGroups(
    scored.map(({ values, rows }) => [values, total(rows)] as const),
    plan.breakdownLimit
  )
  const series = shown.map((values) => {
    const key = groupKey(values)
    const rows = byKey.get(key)?.rows ?? []
    byKey.delete(key)
    return { group: { values, isOther: false }, rows }
  })
  const rest = [...byKey.values()].flatMap(({ own }) => own)
  return { series: rest.length === 0 ? series : [...series, { group: other, rows: count(plan, merged(rest)) }] }
}

/** Answers a retention question from the markers of one environment, in any order. */
export const retention = (events: Events, plan: RetentionPlan): RetentionAnswer =>
  retentionAnswer(plan, grouped(events, plan))
