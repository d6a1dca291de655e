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

/** The instants of all units that started. `at` is the expression of an instant; repeated ones count where the plan counts returns. */
const instantsOf = (plan: RetentionPlan, telling: Telling, at: string) =>
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
        : `groupArrayIf(${at}, isStart and ${isInside})`
    return yield* telling.rows<Instants>(
      `select unit, ${starts} as starts, groupArrayIf(${at}, isReturn and ${isInside}) from
        (select unit, at, ${isStart} as isStart, ${isReturn} as isReturn from marker
          where ${telling.where(scopes.retention(plan))} and hasUnit and ${filter})
        group by unit having notEmpty(starts)`
    )
  })

/** Instants of calendar periods are as good as the periods' beginnings; those counted from a start are needed as they are. */
const periodOf = ({ window, periods }: RetentionPlan): string =>
  window === "calendar" ? `roundDown(at, [${periods.boundaries.map(integerLiteral).join(", ")}])` : "at"

/** Answers a retention question by the domain's function over the instants of units that ClickHouse collects. */
export const retentionInSql = (plan: RetentionPlan, telling: Telling) =>
  Effect.gen(function* () {
    const units = yield* instantsOf(plan, telling, periodOf(plan))
    const cellsOf = unitRetention(plan)
    const found: Array<GroupedCells> = []
    yield* inSteps(units, ([unitId, starts, returns]) => {
      found.push({ unitId, group: whole.values, cells: cellsOf(starts, returns) })
    })
    return retentionAnswer(plan, found)
  })

/** Lists the units behind a number of a retention table. */
export const retentionUnitsInSql = (plan: RetentionUnitsPlan, telling: Telling) =>
  Effect.gen(function* () {
    const units = yield* instantsOf(plan.retention, telling, "at")
    const listed = listedRetention(plan, () => [whole])
    const found = new Map<string, Omit<ListedUnit, "unitId">>()
    yield* inSteps(units, ([unitId, starts, returns]) => {
      const unit = listed([{ group: whole.values, starts, returns }])
      if (unit !== null) found.set(unitId, unit)
    })
    return pageOfUnits(found, plan)
  })
