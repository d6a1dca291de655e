import { Effect } from "effect"
import { whole } from "../../../domain/analytics/filter/Breakdown.ts"
import { type ListedUnit, pageOfUnits } from "../../../domain/analytics/question/UnitList.ts"
import { retentionRows, RetentionTally } from "../../../domain/analytics/retention/RetentionTally.ts"
import { columnsOf, returnRange, startRange } from "../../../domain/analytics/retention/RetentionCells.ts"
import type { Criterion, RetentionAnswer, RetentionPlan } from "../../../domain/analytics/retention/RetentionPlan.ts"
import { listedRetention, type RetentionUnitsPlan } from "../../../domain/analytics/retention/RetentionUnits.ts"
import { unitRetention } from "../../../domain/analytics/retention/UnitRetention.ts"
import { placeOf } from "./Periods.ts"
import { countOfInstants, instantsOf, isInside, markedMarkers, type UnitInstants } from "./RetentionInstants.ts"
import { inSteps } from "./Steps.ts"
import type { Telling } from "./Telling.ts"

/** Periods of which every pair of a start and a return is counted in ClickHouse. */
const mostPeriods = 400

/** Whether it is enough to know which periods a unit started and returned in. */
const isOfPeriods = ({ window, minimumOccurrences, breakdowns, periods }: RetentionPlan): boolean =>
  window === "calendar" &&
  minimumOccurrences === 1 &&
  breakdowns.length === 0 &&
  periods.boundaries.length <= mostPeriods

/** The numbers of the columns, from 1, in which a unit is retained, of the intervals `passed` (from 1) after which it returned. */
const retainedColumns = (criterion: Criterion): string => {
  const last = columnsOf(criterion).length
  switch (criterion.type) {
    case "on":
      return `arrayFilter(each -> each <= ${last}, passed)`
    case "onOrBefore":
      return `range(if(empty(passed), ${last + 1}, least(arrayMin(passed), ${last + 1})), ${last + 1})`
    case "onOrAfter":
      return `range(1, if(empty(passed), 1, least(arrayMax(passed), ${last}) + 1))`
    case "brackets": {
      const brackets = columnsOf(criterion).map(
        ([from, to], index) => `if(arrayExists(each -> each between ${from} and ${to}, passed), [${index + 1}], [])`
      )
      return `arrayConcat(${brackets.join(", ")})`
    }
  }
}

/** How many units started in a period (column 0) and how many of them are retained in each column. */
type CountRow = readonly [period: number, column: number, units: number, markers: number]

/** Counts units by the periods of their starts and the columns in which they are retained. */
const countedInSql = (plan: RetentionPlan, telling: Telling) =>
  Effect.gen(function* () {
    const { boundaries } = plan.periods
    const place = `toInt64(${placeOf(boundaries)})`
    const inside = isInside(returnRange(plan))
    const isStarted = isInside(startRange(plan))
    const markers = yield* markedMarkers(plan, telling, [])
    // A first start outside of the periods is in none of them.
    const starts =
      plan.startMode === "firstTime"
        ? `if(countIf(isStart) = 0, []::Array(Int64), arrayFilter(each -> each > 0, [argMinIf(if(${isStarted}, ${place}, 0), at, isStart)]))`
        : `groupUniqArrayIf(${place}, isStart and ${isStarted})`
    const rows = yield* telling.rows<CountRow>(
      `select start, column, count(), sum(if(nth = 1 and column = 0, markers, 0)) from
        (select start, nth, markers, arrayMap(each -> each - start, arrayFilter(each -> each > start, returns)) as passed from
          (select ${starts} as starts, groupUniqArrayIf(${place}, isReturn and ${inside}) as returns, count() as markers
            from (${markers}) group by unit)
          array join starts as start, arrayEnumerate(starts) as nth)
        array join arrayConcat([0], arrayMap(each -> toInt64(each), ${retainedColumns(plan.criterion)})) as column
        group by start, column`
    )
    const sizes = Array.from({ length: boundaries.length - 1 }, () => 0)
    const counts = sizes.map(() => columnsOf(plan.criterion).map(() => 0))
    let counted = 0
    for (const [start, column, units, own] of rows) {
      counted += own
      if (column === 0) sizes[start - 1] = units
      else counts[start - 1]?.splice(column - 1, 1, units)
    }
    const answer: RetentionAnswer = { series: [{ group: whole, rows: retentionRows(plan, sizes, counts) }] }
    return { answer, markers: counted }
  })

const cellsOfUnits = (plan: RetentionPlan, units: ReadonlyArray<UnitInstants>) =>
  Effect.gen(function* () {
    const cellsOf = unitRetention(plan)
    const tally = new RetentionTally(plan)
    yield* inSteps(units, ([, groups]) =>
      tally.add(groups.map(({ group, starts, returns }) => ({ group, cells: cellsOf(starts, returns) })))
    )
    return tally.answer()
  })

/** Answers a retention question: from counts where periods are enough, else by the domain's function over the instants of units. */
export const retentionInSql = (plan: RetentionPlan, telling: Telling) =>
  isOfPeriods(plan)
    ? countedInSql(plan, telling)
    : Effect.flatMap(instantsOf(plan, telling), (units) =>
        Effect.map(cellsOfUnits(plan, units), (answer) => ({ answer, markers: countOfInstants(units) }))
      )

/** Lists the units behind a number of a retention table. */
export const retentionUnitsInSql = (plan: RetentionUnitsPlan, telling: Telling) =>
  Effect.gen(function* () {
    const { retention } = plan
    const units = yield* instantsOf(retention, telling)
    const shown =
      retention.breakdowns.length === 0
        ? [whole]
        : (yield* cellsOfUnits(retention, units)).series.map(({ group }) => group)
    const listed = listedRetention(plan, () => shown)
    const found = new Map<string, Omit<ListedUnit, "unitId">>()
    yield* inSteps(units, ([unitId, groups]) => {
      const unit = listed(groups)
      if (unit !== null) found.set(unitId, unit)
    })
    return { answer: pageOfUnits(found, plan), markers: countOfInstants(units) }
  })
