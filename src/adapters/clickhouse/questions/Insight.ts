import { Effect } from "effect"
import {
  type BreakdownGroup,
  type GroupValues,
  groupKey,
  other,
  topGroups,
  whole
} from "../../../domain/analytics/filter/Breakdown.ts"
import { countOf } from "../../../domain/analytics/time/Buckets.ts"
import type { InsightAnswer, InsightPlan, Measure, Points } from "../../../domain/analytics/insight/InsightPlan.ts"
import { BeyondSql } from "./BeyondSql.ts"
import { cellsOf, counted, type GroupKeys, namesOf, otherKeys } from "./InsightCells.ts"
import { asksForCounts, cellsOfCounts, type GroupCounts, groupCounts } from "./InsightCounts.ts"
import { type Counted, rangeOf, type InsightSource, sourcesOf } from "./InsightSources.ts"
import { finished, isAdded, type PartialsRow, partialsOf } from "./Measures.ts"
import { groupOfKey } from "./Paths.ts"
import type { Telling } from "./Telling.ts"

const valuesOf = (keys: GroupKeys): GroupValues => keys.map(groupOfKey)

/** The points of one group from its cells. */
const pointsOf = (plan: InsightPlan, measure: Measure, cells: ReadonlyMap<number, PartialsRow> | undefined): Points => {
  const at = (bucket: number): number | null => finished(measure, cells?.get(bucket))
  if (measure.type === "activeUsers") {
    const values = measure.spans.map((_, index) => at(index))
    return { values: values.slice(0, -1), aggregate: values.at(-1) ?? null }
  }
  return {
    values: Array.from({ length: countOf(plan.buckets) }, (_, index) => at(plan.buckets.boundaries[index] ?? 0)),
    aggregate: at(Infinity)
  }
}

/** The groups that there are, and those that are shown, by the JSON of their values. */
interface Grouped {
  readonly found: ReadonlyMap<string, GroupKeys>
  readonly shown: ReadonlyArray<GroupValues>
  /** Of each source, where these are all that is asked for. */
  readonly counts: ReadonlyArray<ReadonlyArray<GroupCounts>>
}

/** The groups of a source with the partial results by which they are ranked. */
type RankedRows = ReadonlyArray<readonly [GroupKeys, PartialsRow]>

/** What groups are ranked by: of active users those of the last span. */
const scoreOf = (plan: InsightPlan, { measure, value }: Counted): string =>
  measure.type === "activeUsers"
    ? partialsOf(measure, value, `hasUnit and ${rangeOf(measure.spans.at(-1) ?? plan.range)}`)
    : partialsOf(measure, value)

/** The groups of all sources, ranked by the first metric of the plan. */
const groupsOf = (plan: InsightPlan, sources: ReadonlyArray<InsightSource>, telling: Telling) =>
  Effect.gen(function* () {
    const found = new Map<string, GroupKeys>()
    const scores: Array<readonly [GroupValues, number | null]> = []
    const names = namesOf("k", plan).join(", ")
    const ranking = sources[0]?.metrics[0]
    const counts: Array<ReadonlyArray<GroupCounts>> = []
    for (const [index, source] of sources.entries()) {
      let rows: RankedRows
      if (asksForCounts(plan)) {
        const own = yield* groupCounts(plan, source, telling)
        counts.push(own)
        rows = own.map(([keys, markers]) => [keys, counted(markers)] as const)
      } else {
        const score = index === 0 && ranking !== undefined ? scoreOf(plan, ranking) : "tuple(0)"
        rows = yield* telling.rows<readonly [GroupKeys, PartialsRow]>(
          `select [${names}]::Array(String), ${score} from (${source.select}) group by ${names}`
        )
      }
      for (const [keys, partial] of rows) {
        const values = valuesOf(keys)
        const key = groupKey(values)
        if (ranking !== undefined && (index === 0 || !found.has(key)))
          scores.push([values, finished(ranking.measure, index === 0 ? partial : undefined)])
        found.set(key, keys)
      }
    }
    const grouped: Grouped = { found, shown: plan.groups ?? topGroups(scores, plan.breakdownLimit), counts }
    return grouped
  })

/** Spans of active users that are counted in ClickHouse. */
const mostSpans = 500

/** Whether partial results of cells add up to the answer. */
const isAnswerable = ({ cumulative, buckets, range, metrics }: InsightPlan): boolean =>
  !cumulative &&
  (buckets.boundaries[0] ?? Infinity) <= range.from &&
  metrics.every(
    ({ measure }) => isAdded(measure) && (measure.type !== "activeUsers" || measure.spans.length <= mostSpans)
  )

/** The cells of each metric of the plan, and how many markers they were counted from. */
const allCells = (
  plan: InsightPlan,
  sources: ReadonlyArray<InsightSource>,
  listed: ReadonlyArray<GroupKeys>,
  telling: Telling,
  counts: ReadonlyArray<ReadonlyArray<GroupCounts>> = []
) =>
  Effect.gen(function* () {
    const cells = new Map<number, ReadonlyMap<string, ReadonlyMap<number, PartialsRow>>>()
    let markers = 0
    const cellsOfSources = yield* Effect.forEach(
      sources,
      (source, at) => {
        const known = counts[at] === undefined ? null : cellsOfCounts(plan, source, listed, counts[at])
        return known === null ? cellsOf(plan, source, listed, telling) : Effect.succeed(known)
      },
      { concurrency: 4 }
    )
    for (const [at, source] of sources.entries()) {
      const own = cellsOfSources[at]
      markers += own?.markers ?? 0
      for (const [place, { index }] of source.metrics.entries()) cells.set(index, own?.cells[place] ?? new Map())
    }
    return { cells, markers }
  })

/** Answers an insight from partial results of groups and buckets, of which the domain makes numbers, ranks and names. */
export const insightInSql = (plan: InsightPlan, telling: Telling) =>
  Effect.gen(function* () {
    const { metrics } = plan
    if (!isAnswerable(plan)) return yield* new BeyondSql()
    const sources = yield* sourcesOf(plan, telling)
    if (plan.breakdowns.length === 0) {
      const { cells, markers } = yield* allCells(plan, sources, [], telling)
      const points = metrics.map(({ measure }, index) => [pointsOf(plan, measure, cells.get(index)?.get("[]"))])
      return { answer: { groups: [whole], metrics: points } satisfies InsightAnswer, markers }
    }
    const { found, shown, counts } = yield* groupsOf(plan, sources, telling)
    const keys = new Set(shown.map(groupKey))
    const listed = shown.flatMap((values) => {
      const own = found.get(groupKey(values))
      return own === undefined ? [] : [own]
    })
    const hasOther = [...found.keys()].some((key) => !keys.has(key)) || plan.groups !== null
    const { cells, markers } = yield* allCells(plan, sources, listed, telling, counts)
    const groups: ReadonlyArray<BreakdownGroup> = [
      ...shown.map((values) => ({ values, isOther: false })),
      ...(hasOther ? [other] : [])
    ]
    const answer = {
      groups,
      metrics: metrics.map(({ measure }, index) =>
        groups.map(({ values, isOther }) => {
          const own = isOther ? otherKeys(plan) : found.get(groupKey(values))
          return pointsOf(plan, measure, own === undefined ? undefined : cells.get(index)?.get(JSON.stringify(own)))
        })
      )
    } satisfies InsightAnswer
    return { answer, markers }
  })
