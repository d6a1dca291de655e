import { Effect } from "effect"
import type { Dimension } from "../../../domain/analytics/filter/Breakdown.ts"
import { numberOf } from "../../../domain/analytics/filter/Value.ts"
import type { InsightPlan, Measure, Metric } from "../../../domain/analytics/insight/InsightPlan.ts"
import type { TimeSpan } from "../../../domain/analytics/time/Buckets.ts"
import type { ClickHouseProblem } from "../ClickHouse.ts"
import { integerLiteral, textLiterals } from "../Literals.ts"
import { BeyondSql } from "./BeyondSql.ts"
import { doublesLiteral, groupKeyOf, pathsOf } from "./Paths.ts"
import { whole as everything } from "./Scope.ts"
import type { Telling } from "./Telling.ts"

/** A metric of a plan, by its place there, and the column of its argument's number. */
export interface Counted {
  readonly index: number
  readonly measure: Measure
  readonly value: string
}

/** Markers that some metrics count, so that one query counts for all of them. */
export interface InsightSource {
  readonly metrics: ReadonlyArray<Counted>
  /** A query of their columns: `at`, `unit`, `hasUnit`, `session`, `hasSession`, `k0` and so on for the dimensions, and numbers of arguments. */
  readonly select: string
}

type Partial = Effect.Effect<string, ClickHouseProblem | BeyondSql>

/** The key of a marker's group as an expression. */
export const keyOf = (dimension: Dimension, { conditions, typesOf }: Telling): Partial => {
  const { source, name } = dimension
  if (source === "argument" || source === "property")
    return Effect.map(typesOf(source, name), (types) => groupKeyOf(pathsOf(source, name), types))
  return "cohortId" in dimension
    ? Effect.succeed(`if(${conditions.isMember([dimension.cohortId])}, 'sin', 'snot in')`)
    : new BeyondSql()
}

/** The number of an argument as a nullable double. Texts that spell numbers are read by the domain. */
const numberColumn = (argument: string, telling: Telling): Partial => {
  const { number, text } = pathsOf("argument", argument)
  return Effect.map(
    telling.distinct<readonly [string]>({ source: "argument", name: argument, type: "text" }),
    (found) => {
      const spelled = found.flatMap(([value]) => {
        const known = numberOf(value)
        return known === null ? [] : [[value, known] as const]
      })
      if (spelled.length === 0) return number
      const texts = textLiterals(spelled.map(([value]) => value))
      const numbers = doublesLiteral(spelled.map(([, value]) => value))
      return `coalesce(${number}, if(ifNull(${text} in (${texts}), false), transform(assumeNotNull(${text}), [${texts}], ${numbers}, 0.), null))`
    }
  )
}

export const rangeOf = ({ from, to }: TimeSpan): string =>
  `at >= ${integerLiteral(from)} and at < ${integerLiteral(to)}`

const hull = (spans: ReadonlyArray<TimeSpan>): TimeSpan => ({
  from: Math.min(...spans.map(({ from }) => from)),
  to: Math.max(...spans.map(({ to }) => to))
})

const populationRange = ({ range }: InsightPlan, measure: Measure): TimeSpan =>
  measure.type === "activeUsers" ? hull(measure.spans) : range

/** The columns that are not made of others. */
const plainColumns = "at, unit, hasUnit, session, hasSession"

/** The markers that a metric counts, and the number of its argument; what is the same for two metrics is the same text. */
const population = (plan: InsightPlan, { selector, measure }: Metric, telling: Telling) =>
  Effect.gen(function* () {
    const own = yield* telling.conditions.filter(selector.filter)
    const common = yield* telling.conditions.filter(plan.filter)
    const value = "argument" in measure ? yield* numberColumn(measure.argument, telling) : "null"
    const range = rangeOf(populationRange(plan, measure))
    const selected = `${telling.where({ ...everything, types: selector.types })} and ${own} and ${common}`
    const isFirst = measure.type === "firstTimeUsers"
    const spans = measure.type === "activeUsers" ? JSON.stringify(measure.spans) : ""
    return { isFirst, selected, range, value, name: JSON.stringify([selected, range, isFirst, spans]) }
  })

/** What the metrics of a plan count, those together that count the same markers. */
export const sourcesOf = (plan: InsightPlan, telling: Telling) =>
  Effect.gen(function* () {
    const keys = yield* Effect.forEach(plan.breakdowns, (dimension) => keyOf(dimension, telling))
    const dimensions = keys.map((key, index) => `, ${key} as k${index}`).join("")
    const populations = yield* Effect.forEach(plan.metrics, (metric) => population(plan, metric, telling))
    return [...new Set(populations.map(({ name }) => name))].flatMap((name): ReadonlyArray<InsightSource> => {
      const alike = populations.filter((each) => each.name === name)
      const [first] = alike
      if (first === undefined) return []
      const values = [...new Set(alike.map(({ value }) => value))]
      const columns = `${plainColumns}${dimensions}${values.map((value, index) => `, ${value} as v${index}`).join("")}`
      const { isFirst, selected, range } = first
      const metrics = plan.metrics.flatMap(({ measure }, index): ReadonlyArray<Counted> => {
        const own = populations[index]
        return own?.name === name ? [{ index, measure, value: `v${values.indexOf(own.value)}` }] : []
      })
      const select = isFirst
        ? `select * from (select ${columns} from marker where ${selected} and hasUnit order by marker.at, sequence limit 1 by unit) where ${range}`
        : `select ${columns} from marker where ${selected} and ${range}`
      return [{ metrics, select }]
    })
  })
