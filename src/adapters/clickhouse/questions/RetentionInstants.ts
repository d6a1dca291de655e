import { Effect } from "effect"
import type { Dimension } from "../../../domain/analytics/filter/Breakdown.ts"
import { whole } from "../../../domain/analytics/filter/Breakdown.ts"
import { groupBy } from "../../../domain/analytics/filter/Grouping.ts"
import type { TimeSpan } from "../../../domain/analytics/time/Buckets.ts"
import type { Selector } from "../../../domain/analytics/filter/Selector.ts"
import type { GroupedInstants } from "../../../domain/analytics/retention/Retention.ts"
import { returnRange, startRange } from "../../../domain/analytics/retention/RetentionCells.ts"
import type { RetentionPlan } from "../../../domain/analytics/retention/RetentionPlan.ts"
import { integerLiteral, textLiterals } from "../Literals.ts"
import { keyOf } from "./InsightSources.ts"
import { groupOfKey } from "./Paths.ts"
import { scopes } from "./Scope.ts"
import type { Telling } from "./Telling.ts"

/** A unit with its starts and returns in each group that it starts in. */
export type UnitInstants = readonly [unit: string, instants: ReadonlyArray<GroupedInstants>]

/** That a marker is selected and passes the filter of the whole question. */
const selected = ({ types, filter }: Selector, plan: RetentionPlan, { conditions }: Telling) =>
  Effect.map(
    Effect.all([conditions.filter(filter), conditions.filter(plan.filter)]),
    ([own, common]) => `(type in (${textLiterals(types)}) and ${own} and ${common})`
  )

/** That an instant lies in the range. */
export const isInside = ({ from, to }: TimeSpan): string =>
  `at >= ${integerLiteral(from)} and at < ${integerLiteral(to)}`

/** A query of the markers with the columns `isStart` and `isReturn`, and further ones. */
export const markedMarkers = (plan: RetentionPlan, telling: Telling, columns: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const isStart = yield* selected(plan.start, plan, telling)
    const isReturn = yield* selected(plan.return, plan, telling)
    return `select ${["unit", "at", ...columns].join(", ")}, ${isStart} as isStart, ${isReturn} as isReturn from marker
      where ${telling.where(scopes.retention(plan))} and hasUnit`
  })

type PlainRow = readonly [unit: string, starts: ReadonlyArray<number>, returns: ReadonlyArray<number>]

const plainInstants = (plan: RetentionPlan, telling: Telling) =>
  Effect.gen(function* () {
    const markers = yield* markedMarkers(plan, telling, [])
    const starts =
      plan.startMode === "firstTime"
        ? "if(countIf(isStart) = 0, []::Array(Int64), [minIf(at, isStart)])"
        : `groupArrayIf(at, isStart and ${isInside(startRange(plan))})`
    const rows = yield* telling.rows<PlainRow>(
      `select unit, ${starts} as starts, groupArrayIf(at, isReturn and ${isInside(returnRange(plan))}) from (${markers})
        group by unit having notEmpty(starts)`
    )
    return rows.map(([unit, begun, returns]): UnitInstants => [unit, [{ group: whole.values, starts: begun, returns }]])
  })

/** An instant with the keys of the groups that its marker is in. */
type KeyedInstant = readonly [at: number, keys: ReadonlyArray<string>]

type KeyedRow = readonly [
  unit: string,
  starts: ReadonlyArray<KeyedInstant>,
  returns: ReadonlyArray<KeyedInstant>,
  fixed: ReadonlyArray<string>
]

/** The key that a unit has in all of its markers: its latest of a property, whether it is a member of a cohort; "" of an argument. */
const fixedKey = ({ source }: Dimension, index: number): string => {
  if (source === "argument") return "''"
  return source === "property" ? `argMaxIf(k${index}, (at, sequence), k${index} != '')` : `any(k${index})`
}

const groupedInstants = (plan: RetentionPlan, telling: Telling) =>
  Effect.gen(function* () {
    const { breakdowns } = plan
    const keys = yield* Effect.forEach(breakdowns, (dimension) => keyOf(dimension, telling))
    const markers = yield* markedMarkers(plan, telling, [
      "sequence",
      ...keys.map((key, index) => `${key} as k${index}`)
    ])
    const own = breakdowns.map(({ source }, index) => (source === "argument" ? `k${index}` : "''"))
    const instant = `(at, [${own.join(", ")}]::Array(String))`
    const starts =
      plan.startMode === "firstTime"
        ? `if(countIf(isStart) = 0, [], [argMinIf(${instant}, (at, sequence), isStart)])`
        : `groupArrayIf(${instant}, isStart and ${isInside(startRange(plan))})`
    const rows = yield* telling.rows<KeyedRow>(
      `select unit, ${starts} as starts, groupArrayIf(${instant}, isReturn and ${isInside(returnRange(plan))}), [${breakdowns.map(fixedKey).join(", ")}]::Array(String)
        from (${markers}) group by unit having notEmpty(starts)`
    )
    const instants = (found: ReadonlyArray<KeyedInstant>) => found.map(([at]) => at)
    return rows.map(([unit, begun, returned, fixed]): UnitInstants => {
      const byKeys = (found: ReadonlyArray<KeyedInstant>) => groupBy(found, ([, each]) => JSON.stringify(each))
      const returns = byKeys(returned)
      const groups = [...byKeys(begun)].map(([name, each]): GroupedInstants => ({
        group: breakdowns.map(({ source }, index) =>
          groupOfKey((source === "argument" ? each[0]?.[1][index] : fixed[index]) ?? "")
        ),
        starts: instants(each),
        returns: instants(returns.get(name) ?? [])
      }))
      return [unit, groups]
    })
  })

/** The instants at which units started and returned, of those that started. */
export const instantsOf = (plan: RetentionPlan, telling: Telling) =>
  plan.breakdowns.length === 0 ? plainInstants(plan, telling) : groupedInstants(plan, telling)

/** How many instants there are. */
export const countOfInstants = (units: ReadonlyArray<UnitInstants>): number =>
  units.reduce(
    (sum, [, groups]) => groups.reduce((own, { starts, returns }) => own + starts.length + returns.length, sum),
    0
  )
