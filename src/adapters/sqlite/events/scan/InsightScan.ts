import {
  type BreakdownGroup,
  groupKey,
  type GroupValues,
  other,
  topGroups,
  whole
} from "../../../../domain/analytics/filter/Breakdown.ts"
import { groupBy } from "../../../../domain/analytics/filter/Grouping.ts"
import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import type { InsightAnswer, InsightPlan, Metric } from "../../../../domain/analytics/insight/InsightPlan.ts"
import { scanActive } from "./ActiveScan.ts"
import type { Population } from "./CellValues.ts"
import { firstRows } from "./FirstRows.ts"
import { Grouper } from "./Grouper.ts"
import { scanAggregates, scanPoints } from "./MeasureScan.ts"
import { type Grid } from "./Grid.ts"
import type { Selection } from "../read/Selection.ts"
import type { Snapshot } from "../read/Snapshot.ts"

const always: TimeSpan = { from: -Infinity, to: Infinity }

/** The smallest range that contains all of `spans`. */
const hull = (spans: ReadonlyArray<TimeSpan>): TimeSpan => ({
  from: Math.min(...spans.map(({ from }) => from)),
  to: Math.max(...spans.map(({ to }) => to))
})

/** The rows that a metric counts in the plan's range, or in that of its spans. */
export const selectionsOf = (
  plan: InsightPlan,
  { selector, measure }: Metric,
  snapshot: Snapshot
): Array<Selection> => {
  if (measure.type === "activeUsers") return snapshot.selectBy(selector, plan.filter, hull(measure.spans))
  if (measure.type !== "firstTimeUsers") return snapshot.selectBy(selector, plan.filter, plan.range)
  return firstRows(snapshot.selectBy(selector, plan.filter, always), snapshot.environment.units, plan.range)
}

/** Metrics with equal keys count the same markers, so they can share one population. */
const populationKey = (plan: InsightPlan, { selector, measure }: Metric): string => {
  const span =
    measure.type === "activeUsers" ? hull(measure.spans) : measure.type === "firstTimeUsers" ? null : plan.range
  return JSON.stringify([selector, span, measure.type === "firstTimeUsers"], (key, value: unknown) =>
    key === "units" ? undefined : value
  )
}

/** Returns a function that finds a metric's population, computing each distinct population once. */
const populationsOf = (
  plan: InsightPlan,
  snapshot: Snapshot,
  grouper: Grouper | null
): ((metric: Metric) => Population) => {
  const known = new Map<string, Population>()
  return (metric) => {
    const key = populationKey(plan, metric)
    let population = known.get(key)
    if (population === undefined) {
      const selections = selectionsOf(plan, metric, snapshot)
      const groups = selections.map((selection) => grouper?.groupsOf(selection) ?? null)
      known.set(key, (population = { selections, groups, memory: snapshot.memory, values: new Map() }))
    }
    return population
  }
}

const argumentOf = ({ measure }: Metric): string => ("argument" in measure ? measure.argument : "")

/**
 * Measures each metric: those of one population after each other, and of these those of one argument, so that the values of one argument
 * are held at a time.
 */
const measureEach = <A>(
  metrics: ReadonlyArray<Metric>,
  populationOf: (metric: Metric) => Population,
  measure: (metric: Metric, population: Population) => A
): ReadonlyArray<A> => {
  const found: Array<A> = []
  const byPopulation = groupBy(metrics.entries(), ([, metric]) => populationOf(metric))
  for (const [population, own] of byPopulation) {
    const ordered = own.toSorted(([, a], [, b]) => (argumentOf(a) < argumentOf(b) ? -1 : 1))
    for (const [at, metric] of ordered) found[at] = measure(metric, population)
    population.values.clear()
  }
  return found
}

const rangesOf = (boundaries: ReadonlyArray<number>): ReadonlyArray<TimeSpan> =>
  boundaries.slice(1).map((to, bucket) => ({ from: boundaries[bucket]!, to }))

interface Grouping {
  readonly groups: ReadonlyArray<BreakdownGroup>
  readonly remap: Int32Array
}

/** Which groups the answer shows, and to which of them the rows of each found group are mapped. Named groups always have an other. */
const groupingOf = (grouper: Grouper, shown: ReadonlyArray<GroupValues>, isNamed: boolean): Grouping => {
  const remap = new Int32Array(grouper.groups.length).fill(-1)
  const places = new Map(shown.map((values, index) => [groupKey(values), index]))
  for (const [group, values] of grouper.groups.entries()) remap[group] = places.get(groupKey(values)) ?? -1
  const groups: Array<BreakdownGroup> = shown.map((values) => ({ values, isOther: false }))
  if (!isNamed && !remap.includes(-1)) return { groups, remap }
  for (let group = 0; group < remap.length; group++) if (remap[group] === -1) remap[group] = groups.length
  return { groups: [...groups, other], remap }
}

/** The top groups by the first metric's aggregate. */
const ranked = (plan: InsightPlan, population: Population, grouper: Grouper, snapshot: Snapshot) => {
  const [metric] = plan.metrics
  if (metric === undefined) return []
  const scores = scanAggregates(population, metric.measure, snapshot.environment, grouper.groups.length)
  return topGroups(
    grouper.groups.map((values, group) => [values, scores[group] ?? null] as const),
    plan.breakdownLimit
  )
}

const scanWhole = (plan: InsightPlan, snapshot: Snapshot, ranges: ReadonlyArray<TimeSpan>): InsightAnswer => {
  const grid: Grid = { ranges, groups: 1, remap: null }
  const active = new Map(plan.metrics.map((metric) => [metric, scanActive(plan, metric, snapshot, ranges)]))
  const scanned = plan.metrics.filter((metric) => active.get(metric) === null)
  const points = measureEach(scanned, populationsOf(plan, snapshot, null), ({ measure }, population) =>
    scanPoints(population, measure, snapshot.environment, grid, plan.cumulative)
  ).values()
  const known = plan.metrics.map((metric) => active.get(metric) ?? null)
  return {
    groups: [whole],
    metrics: known.map((own) => (own === null ? (points.next().value ?? []) : [own]))
  }
}

/** The groups that the answer of an insight with breakdowns shows; the merged one is not among them. */
export const shownGroups = (plan: InsightPlan, snapshot: Snapshot): ReadonlyArray<BreakdownGroup> => {
  const grouper = new Grouper(plan.breakdowns, snapshot)
  const [first] = plan.metrics.map(populationsOf(plan, snapshot, grouper))
  const shown = plan.groups ?? (first === undefined ? [] : ranked(plan, first, grouper, snapshot))
  return shown.map((values) => ({ values, isOther: false }))
}

/** All found groups, where all of them are shown: each metric is measured once, and the first one's aggregates put the groups in order. */
const scanEveryGroup = (
  plan: InsightPlan,
  { groups }: Grouper,
  pointsOf: (grid: Grid) => InsightAnswer["metrics"],
  ranges: ReadonlyArray<TimeSpan>
): InsightAnswer => {
  const remap = Int32Array.from(groups, (_, group) => group)
  const found = pointsOf({ ranges, groups: groups.length, remap })
  const places = new Map(groups.map((values, group) => [values, group]))
  const scores = groups.map((values, group) => [values, found[0]?.[group]?.aggregate ?? null] as const)
  const shown = topGroups(scores, plan.breakdownLimit)
  return {
    groups: shown.map((values) => ({ values, isOther: false })),
    metrics: found.map((points) => shown.map((values) => points[places.get(values)!]!))
  }
}

/** Answers an insight by scanning columns. Equals the domain's pure function over the same markers. */
export const scanInsight = (plan: InsightPlan, snapshot: Snapshot): InsightAnswer => {
  const ranges = rangesOf(plan.buckets.boundaries)
  if (plan.breakdowns.length === 0) return scanWhole(plan, snapshot, ranges)
  const grouper = new Grouper(plan.breakdowns, snapshot, ranges)
  const populationOf = populationsOf(plan, snapshot, grouper)
  const [first] = plan.metrics.map(populationOf)
  const pointsOf = (grid: Grid) =>
    measureEach(plan.metrics, populationOf, ({ measure }, population) =>
      scanPoints(population, measure, snapshot.environment, grid, plan.cumulative)
    )
  if (plan.groups === null && grouper.groups.length <= plan.breakdownLimit)
    return scanEveryGroup(plan, grouper, pointsOf, ranges)
  const shown = plan.groups ?? (first === undefined ? [] : ranked(plan, first, grouper, snapshot))
  const { groups, remap } = groupingOf(grouper, shown, plan.groups !== null)
  return { groups, metrics: pointsOf({ ranges, groups: groups.length, remap }) }
}
