import { Effect } from "effect"
import { exposureType } from "../../../domain/analytics/filter/Memberships.ts"
import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import type { RevenuePlan } from "../../../domain/analytics/question/Question.ts"
import type { CohortPlan, PlannedCondition } from "../../../domain/cohorts/CohortPlan.ts"
import type { PlannedMetric, ScorecardPlan } from "../../../domain/experiments/results/ScorecardPlan.ts"
import type { ClickHouseProblem } from "../ClickHouse.ts"
import { integerLiteral, textLiteral, textLiterals } from "../Literals.ts"
import type { BeyondSql } from "./BeyondSql.ts"
import { doubleLiteral, pathsOf } from "./Paths.ts"
import { type Scope, whole } from "./Scope.ts"
import type { Telling } from "./Telling.ts"

/** The markers of a scope for which a condition holds, in order of receipt; `only` may say more, such as that the first of each unit is enough. */
export type Chosen = (
  scope: Scope,
  condition: string,
  only?: string
) => Effect.Effect<ReadonlyArray<StoredEvent>, ClickHouseProblem>

type Relevant = Effect.Effect<ReadonlyArray<StoredEvent>, ClickHouseProblem | BeyondSql>

const firstOfUnits = "order by marker.at, marker.sequence limit 1 by marker.unit"
const latestOfUnits = "order by marker.at desc, marker.sequence desc limit 1 by marker.unit"

/** Each marker once, in order of receipt. */
const together = (parts: ReadonlyArray<ReadonlyArray<StoredEvent>>): ReadonlyArray<StoredEvent> =>
  [...new Map(parts.flat().map((event) => [event.sequence, event])).values()].sort((a, b) => a.sequence - b.sequence)

const conditionsOf = ({ children }: CohortPlan): ReadonlyArray<PlannedCondition> =>
  children.flatMap((child) => ("op" in child ? conditionsOf(child) : [child]))

const typesOf = (condition: PlannedCondition): ReadonlyArray<string> => {
  switch (condition.type) {
    case "property":
    case "reference":
      return []
    case "sequence":
      return [...condition.first.types, ...condition.next.types]
    default:
      return condition.selector.types
  }
}

/** That a marker has a property that is not empty: no empty text, and no list of nothing but empty texts. */
const hasProperty = (name: string): string => {
  const { number, text, boolean, list } = pathsOf("property", name)
  const isFilled = `match(replaceAll(${list}, '""', ''), '[^\\\\[\\\\],]')`
  return `(isNotNull(${number}) or ifNull(${text}, '') != '' or isNotNull(${boolean}) or ifNull(${isFilled}, false))`
}

/**
 * The markers by which the domain tells who belongs to a cohort: those of the types that it is about, the first of every unit, and the latest
 * that has a property which is compared.
 */
export const relevantToCohort = (plan: CohortPlan, chosen: Chosen) => {
  const conditions = conditionsOf(plan)
  const types = new Set(conditions.flatMap(typesOf))
  const names = new Set(conditions.flatMap((each) => (each.type === "property" ? [each.comparison.name] : [])))
  return Effect.map(
    Effect.all([
      types.size === 0 ? Effect.succeed([]) : chosen({ ...whole, types: [...types] }, "hasUnit"),
      chosen(whole, "hasUnit", firstOfUnits),
      ...[...names].map((name) => chosen(whole, `hasUnit and ${hasProperty(name)}`, latestOfUnits))
    ]),
    together
  )
}

/** The markers that may bring revenue, and the first of each unit. */
export const relevantToRevenue = ({ argument, purchase, units }: RevenuePlan, chosen: Chosen) => {
  const asked: Scope = { ...whole, units: units.map(({ unitId }) => unitId) }
  const range = {
    from: Math.min(...units.map(({ from }) => from)),
    to: Math.max(...units.map(({ to }) => to)) + 1
  }
  const isSet = (name: string): string => {
    const { number, text } = pathsOf("argument", name)
    return `(isNotNull(${number}) or isNotNull(${text}))`
  }
  const isPaid = `(${isSet(argument)} or (type = ${textLiteral(purchase.type)} and ${isSet(purchase.argument)}))`
  return Effect.map(Effect.all([chosen({ ...asked, range }, isPaid), chosen(asked, "true", firstOfUnits)]), together)
}

/** The types of markers that a metric counts; null: all. */
const countedTypes = (metric: PlannedMetric): ReadonlyArray<string> | null => {
  if (metric.type === "amounts") return metric.amounts.flatMap(({ selector }) => selector.types)
  const { steps, exclusions, order } = metric.funnel
  return order === "strict" ? null : [...steps, ...exclusions].flatMap(({ selector }) => selector.types)
}

/** The earliest instant of a marker that a metric counts, of a unit that entered at the beginning of the range. */
const countedFrom = ({ range, priorLength }: ScorecardPlan, metric: PlannedMetric): number =>
  metric.type === "amounts" ? range.from + Math.min(0, metric.window.from, -priorLength) : range.from

/** The markers that bring units into a scorecard, and those of these units that its metrics count. */
export const relevantToScorecard = (plan: ScorecardPlan, { conditions, where }: Telling, chosen: Chosen): Relevant =>
  Effect.gen(function* () {
    const { entry, experimentId, metrics, range, unitType } = plan
    const scope: Scope = { ...whole, range: { from: -Infinity, to: range.to } }
    const { number, text } = pathsOf("argument", "experimentId")
    const enters =
      entry === undefined
        ? `(type = ${textLiteral(exposureType)} and (ifNull(${number} = ${doubleLiteral(experimentId)}, false) or isNotNull(${text})))`
        : `(at >= ${integerLiteral(range.from)} and ${yield* conditions.filter(entry)})`
    const [owner, isOwned] = unitType === "server" ? ["server", "hasServer"] : ["unit", "hasUnit"]
    const entered = `select unit from marker where ${where(scope)} and hasUnit and ${enters}`
    const counted = metrics.map((metric) => {
      const types = countedTypes(metric)
      const isCounted = types === null ? "true" : `type in (${textLiterals(new Set(types))})`
      return `(${isCounted} and at >= ${integerLiteral(countedFrom(plan, metric))})`
    })
    const deeds = counted.length === 0 ? "false" : `(${counted.join(" or ")})`
    return yield* chosen(scope, `((hasUnit and ${enters}) or (${isOwned} and ${deeds} and ${owner} in (${entered})))`)
  })
