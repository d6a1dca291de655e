import { Effect } from "effect"
import { whole } from "../../../domain/analytics/filter/Breakdown.ts"
import type { Selector } from "../../../domain/analytics/filter/Selector.ts"
import { type ListedUnit, pageOfUnits } from "../../../domain/analytics/question/UnitList.ts"
import { type GroupedCells, retentionAnswer } from "../../../domain/analytics/retention/Retention.ts"
import { returnRange } from "../../../domain/analytics/retention/RetentionCells.ts"
import type { RetentionPlan } from "../../../domain/analytics/retention/RetentionPlan.ts"
import { listedRetention, type RetentionUnitsPlan } from "../../../domain/analytics/retention/RetentionUnits.ts"
import { unitRetention } from "../../../domain/analytics/retention/UnitRetention.ts"
import { integerLiteral, textLiterals } from "../Literals.ts"
import { BeyondSql } from "./BeyondSql.ts"
import { scopes } from "./Scope.ts"
import { inSteps } from "./Steps.ts"
import type { Telling } from "./Telling.ts"

/** The instants at which a unit started and returned. */
type Instants = readonly [unit: string, starts: ReadonlyArray<number>, returns: ReadonlyArray<number>]

const selected = ({ types, filter }: Selector, { conditions }: Telling) =>
  Effect.map(conditions.filter(filter), (passes) => `(type in (${textLiterals(types)}) and ${passes})`)

/** How instants come: `gathered` has those of the rows for which the second expression holds. */
type Gathered = (isGathered: string) => string

const asTheyAre: Gathered = (isGathered) => `groupArrayIf(at, ${isGathered})`

/** The instants of all units that started. */
const instantsOf = (plan: RetentionPlan, telling: Telling, startsOf: Gathered, returnsOf: Gathered) =>
  Effect.gen(function* () {
    if (plan.breakdowns.length > 0) return yield* new BeyondSql()
    const filter = yield* telling.conditions.filter(plan.filter)
    const isStart = yield* selected(plan.start, telling)
    const isReturn = yield* selected(plan.return, telling)
    const range = returnRange(plan)
    const isInside = `at >= ${integerLiteral(range.from)} and at < ${integerLiteral(range.to)}`
    const starts =
      plan.startMode === "firstTime"
        ? "if(countIf(isStart) = 0, []::Array(Int64), [minIf(at, isStart)])"
        : startsOf(`isStart and ${isInside}`)
    return yield* telling.rows<Instants>(
      `select unit, ${starts} as starts, ${returnsOf(`isReturn and ${isInside}`)} from
        (select unit, at, ${isStart} as isStart, ${isReturn} as isReturn from marker
          where ${telling.where(scopes.retention(plan))} and hasUnit and ${filter})
        group by unit having notEmpty(starts)`
    )
  })

/**
 * Of instants in calendar periods the places of the periods are enough, from 1, and each once where it does not matter how often. Those counted
 * from a start are needed as they are.
 */
const placesOf =
  ({ periods }: RetentionPlan, isOnce: boolean): Gathered =>
  (isGathered) => {
    const boundaries = `[${periods.boundaries.map(integerLiteral).join(", ")}]`
    return `arrayMap(each -> indexOf(${boundaries}, each), ${isOnce ? "groupUniqArrayIf" : "groupArrayIf"}(roundDown(at, ${boundaries}), ${isGathered}))`
  }

/** Answers a retention question by the domain's function over the instants of units that ClickHouse collects. */
export const retentionInSql = (plan: RetentionPlan, telling: Telling) =>
  Effect.gen(function* () {
    const isCalendar = plan.window === "calendar"
    const units = yield* isCalendar
      ? instantsOf(plan, telling, placesOf(plan, true), placesOf(plan, plan.minimumOccurrences === 1))
      : instantsOf(plan, telling, asTheyAre, asTheyAre)
    const { boundaries } = plan.periods
    const beginnings = (places: ReadonlyArray<number>) => places.map((place) => boundaries[place - 1] ?? Infinity)
    const instants = isCalendar ? beginnings : (known: ReadonlyArray<number>) => known
    const startsOf = plan.startMode === "firstTime" ? (known: ReadonlyArray<number>) => known : instants
    const cellsOf = unitRetention(plan)
    const found: Array<GroupedCells> = []
    yield* inSteps(units, ([unitId, starts, returns]) => {
      found.push({ unitId, group: whole.values, cells: cellsOf(startsOf(starts), instants(returns)) })
    })
    return retentionAnswer(plan, found)
  })

/** Lists the units behind a number of a retention table. */
export const retentionUnitsInSql = (plan: RetentionUnitsPlan, telling: Telling) =>
  Effect.gen(function* () {
    const units = yield* instantsOf(plan.retention, telling, asTheyAre, asTheyAre)
    const listed = listedRetention(plan, () => [whole])
    const found = new Map<string, Omit<ListedUnit, "unitId">>()
    yield* inSteps(units, ([unitId, starts, returns]) => {
      const unit = listed([{ group: whole.values, starts, returns }])
      if (unit !== null) found.set(unitId, unit)
    })
    return pageOfUnits(found, plan)
  })
