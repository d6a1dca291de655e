import { Effect } from "effect"
import {
  type Dimension,
  type Group,
  type GroupValues,
  groupKey,
  other,
  topGroups,
  whole
} from "../../../domain/analytics/filter/Breakdown.ts"
import { numberOf } from "../../../domain/analytics/filter/Value.ts"
import { countOf, type Range } from "../../../domain/analytics/time/Buckets.ts"
import type {
  InsightAnswer,
  InsightPlan,
  Measure,
  Metric,
  Points
} from "../../../domain/analytics/insight/InsightPlan.ts"
import type { ClickHouseProblem } from "../ClickHouse.ts"
import { integerLiteral, textLiteral, textLiterals } from "../Literals.ts"
import { BeyondSql } from "./BeyondSql.ts"
import type { Conditions } from "./Conditions.ts"
import { finished, isAdded, type PartialsRow, partialsOf } from "./Measures.ts"
import { doubleLiteral, groupKeyOf, groupOfKey, pathsOf } from "./Paths.ts"
import { whole as everything } from "./Scope.ts"
import type { Telling } from "./Telling.ts"

/** A group of rows by the keys of its dimensions; none: the group of all others. */
type Keys = ReadonlyArray<string>

type Cell = readonly [keys: Keys, bucket: number, ...PartialsRow]

type Partial = Effect.Effect<string, ClickHouseProblem | BeyondSql>

const keyOf = (dimension: Dimension, { isMember }: Conditions): Effect.Effect<string, BeyondSql> => {
  if (dimension.source === "argument" || dimension.source === "property")
    return Effect.succeed(groupKeyOf(pathsOf(dimension.source, dimension.name)))
  return "cohortId" in dimension
    ? Effect.succeed(`if(${isMember([dimension.cohortId])}, 'sin', 'snot in')`)
    : new BeyondSql()
}

/** The number of an argument as a nullable double. Texts that spell numbers are read by the domain. */
const numberColumn = (argument: string, telling: Telling): Partial => {
  const { number, text } = pathsOf("argument", argument)
  return Effect.map(telling.distinct<readonly [string]>(text, `isNotNull(${text})`), (found) => {
    const spelled = found.flatMap(([value]) => {
      const known = numberOf(value)
      return known === null ? [] : [[value, known] as const]
    })
    if (spelled.length === 0) return number
    const texts = textLiterals(spelled.map(([value]) => value))
    const numbers = spelled.map(([, value]) => doubleLiteral(value)).join(", ")
    return `coalesce(${number}, if(ifNull(${text} in (${texts}), false), transform(assumeNotNull(${text}), [${texts}], [${numbers}], 0.), null))`
  })
}

const rangeOf = ({ from, to }: Range): string => `at >= ${integerLiteral(from)} and at < ${integerLiteral(to)}`

const hull = (spans: ReadonlyArray<Range>): Range => ({
  from: Math.min(...spans.map(({ from }) => from)),
  to: Math.max(...spans.map(({ to }) => to))
})

const populationRange = ({ range }: InsightPlan, measure: Measure): Range =>
  measure.type === "activeUsers" ? hull(measure.spans) : range

/** The markers that a metric counts, with the columns of partial results, `keys` and `at`. */
const population = (plan: InsightPlan, { selector, measure }: Metric, telling: Telling) =>
  Effect.gen(function* () {
    const { conditions } = telling
    const keys = yield* Effect.forEach(plan.breakdowns, (dimension) => keyOf(dimension, conditions))
    const own = yield* conditions.filter(selector.filter)
    const common = yield* conditions.filter(plan.filter)
    const value = "argument" in measure ? yield* numberColumn(measure.argument, telling) : "null"
    const range = rangeOf(populationRange(plan, measure))
    const selected = `${telling.where({ ...everything, types: selector.types })} and ${own} and ${common}`
    const columns = `[${keys.join(", ")}]::Array(String) as keys, at, unit, hasUnit, session, hasSession, ${value} as value`
    return measure.type === "firstTimeUsers"
      ? `select * from (select ${columns} from marker where ${selected} and hasUnit order by marker.at, sequence limit 1 by unit) where ${range}`
      : `select ${columns} from marker where ${selected} and ${range}`
  })

const valuesOf = (keys: Keys): GroupValues => keys.map(groupOfKey)

/** The points of one group from its cells: those of buckets by their beginnings, that of all time under `Infinity`. */
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

/** Spans of active users that one query counts. */
const mostSpans = 500

/** The cells of a metric by the JSON of their keys. `group` is an expression of `keys`. */
const cellsOf = (plan: InsightPlan, measure: Measure, source: string, group: string, telling: Telling) => {
  const partials = partialsOf(measure)
  const rows = (bucket: string, by: string, from = source) =>
    telling.rows<Cell>(`select ${group} as shown, ${bucket}, ${partials} from (${from}) group by shown${by}`)
  const wanted =
    measure.type === "activeUsers"
      ? Effect.map(
          Effect.forEach(measure.spans, (span, index) =>
            rows(String(index), "", `select * from (${source}) where ${rangeOf(span)}`)
          ),
          (all) => all.flat()
        )
      : Effect.map(
          Effect.all([
            rows(`roundDown(at, [${plan.buckets.boundaries.map(integerLiteral).join(", ")}]) as bucket`, ", bucket"),
            Effect.map(rows("0", ""), (found) =>
              found.map(([keys, , ...partial]): Cell => [keys, Infinity, ...partial])
            )
          ]),
          (all) => all.flat()
        )
  return Effect.map(wanted, (found) => {
    const cells = new Map<string, Map<number, PartialsRow>>()
    for (const [keys, bucket, ...partial] of found) {
      const key = JSON.stringify(keys)
      cells.set(key, (cells.get(key) ?? new Map<number, PartialsRow>()).set(bucket, partial))
    }
    return cells
  })
}

const keysLiteral = (groups: ReadonlyArray<Keys>): string =>
  groups.map((keys) => `[${keys.map(textLiteral).join(", ")}]`).join(", ")

/** The groups that there are, and those that are shown, by the JSON of their values. */
interface Grouped {
  readonly found: ReadonlyMap<string, Keys>
  readonly shown: ReadonlyArray<GroupValues>
}

/** What groups are ranked by: of active users those of the last span. */
const scoreOf = (plan: InsightPlan, { measure }: Metric): string =>
  measure.type === "activeUsers"
    ? partialsOf(measure, `hasUnit and ${rangeOf(measure.spans.at(-1) ?? plan.range)}`)
    : partialsOf(measure)

const groupsOf = (
  plan: InsightPlan,
  metrics: ReadonlyArray<Metric>,
  sources: ReadonlyArray<string>,
  telling: Telling
) =>
  Effect.gen(function* () {
    const found = new Map<string, Keys>()
    const scores: Array<readonly [GroupValues, number | null]> = []
    const [first] = metrics
    for (const [index, source] of sources.entries()) {
      const isScored = index === 0 && first !== undefined
      const rows = yield* telling.rows<readonly [Keys, ...PartialsRow]>(
        `select keys, ${isScored ? scoreOf(plan, first) : "0"} from (${source}) group by keys`
      )
      for (const [keys, ...partial] of rows) {
        const values = valuesOf(keys)
        const key = groupKey(values)
        if (isScored) scores.push([values, finished(first.measure, partial)])
        else if (!found.has(key) && first !== undefined) scores.push([values, finished(first.measure, undefined)])
        found.set(key, keys)
      }
    }
    const grouped: Grouped = { found, shown: plan.groups ?? topGroups(scores, plan.breakdownLimit) }
    return grouped
  })

/** Whether partial results of cells add up to the answer. */
const isAnswerable = ({ cumulative, buckets, range, metrics }: InsightPlan): boolean =>
  !cumulative &&
  (buckets.boundaries[0] ?? Infinity) <= range.from &&
  metrics.every(
    ({ measure }) => isAdded(measure) && (measure.type !== "activeUsers" || measure.spans.length <= mostSpans)
  )

/** Answers an insight from partial results of groups and buckets, of which the domain makes numbers, ranks and names. */
export const insightInSql = (plan: InsightPlan, telling: Telling) =>
  Effect.gen(function* () {
    const { metrics } = plan
    if (!isAnswerable(plan)) return yield* new BeyondSql()
    const sources = yield* Effect.forEach(metrics, (metric) => population(plan, metric, telling))
    const cells = (group: string) =>
      Effect.forEach(metrics, ({ measure }, index) => cellsOf(plan, measure, sources[index] ?? "", group, telling))
    if (plan.breakdowns.length === 0) {
      const all = yield* cells("keys")
      const points = metrics.map(({ measure }, index) => [pointsOf(plan, measure, all[index]?.get("[]"))])
      return { groups: [whole], metrics: points } satisfies InsightAnswer
    }
    const { found, shown } = yield* groupsOf(plan, metrics, sources, telling)
    const keys = new Set(shown.map(groupKey))
    const listed = shown.flatMap((values) => {
      const own = found.get(groupKey(values))
      return own === undefined ? [] : [own]
    })
    const hasOther = [...found.keys()].some((key) => !keys.has(key)) || plan.groups !== null
    const none = "[]::Array(String)"
    const all = yield* cells(listed.length === 0 ? none : `if(has([${keysLiteral(listed)}], keys), keys, ${none})`)
    const groups: ReadonlyArray<Group> = [
      ...shown.map((values) => ({ values, isOther: false })),
      ...(hasOther ? [other] : [])
    ]
    return {
      groups,
      metrics: metrics.map(({ measure }, index) =>
        groups.map(({ values, isOther }) => {
          const own = isOther ? [] : found.get(groupKey(values))
          return pointsOf(plan, measure, own === undefined ? undefined : all[index]?.get(JSON.stringify(own)))
        })
      )
    } satisfies InsightAnswer
  })
