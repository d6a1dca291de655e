import { Effect } from "effect"
import { boxOf, single } from "../../../domain/analytics/heatmap/Heatmap.ts"
import type { HeatmapAnswer, HeatmapPlan } from "../../../domain/analytics/heatmap/HeatmapPlan.ts"
import { doubleLiteral } from "./Paths.ts"
import { whole } from "./Scope.ts"
import type { Telling } from "./Telling.ts"

/** The cell along one axis, as the domain computes it: the far edge belongs to the last one. */
const slot = (axis: string, least: number, most: number, cells: number): string =>
  most === least
    ? "0"
    : `least(${cells - 1}, toInt32(floor(((${axis} - ${doubleLiteral(least)}) * ${cells}) / ${doubleLiteral(most - least)})))`

const between = (axis: string, low: number, high: number): string =>
  `${axis} >= ${doubleLiteral(low)} and ${axis} <= ${doubleLiteral(high)}`

/** Counts markers and units by cell. */
export const heatmapInSql = (plan: HeatmapPlan, { rows, where, conditions }: Telling) =>
  Effect.gen(function* () {
    const { range, bounds, resolution, heights } = plan
    const common = yield* conditions.filter(plan.filter)
    const axes = ["x", "y", "z"]
      .map((axis) => `toFloat64(toFloat32(assumeNotNull(marker.${axis}))) as ${axis}`)
      .join(", ")
    const selected = yield* Effect.forEach(plan.selectors, ({ types, filter }) =>
      Effect.map(
        conditions.filter(filter),
        (own) =>
          `select ${axes}, unit, hasUnit from marker where ${where({ ...whole, types, range })} and isNotNull(marker.x) and ${own} and ${common}`
      )
    )
    const counted = heights === undefined ? "true" : between("y", single(heights.low), single(heights.high))
    const source = `(${selected.join(" union all ")}) where ${counted}`
    const { least, most } = boxOf(bounds)
    const inside = [between("x", least.x, most.x), between("y", least.y, most.y), between("z", least.z, most.z)]
    const [totals] = yield* rows<readonly [number, number]>(`select count(), uniqExactIf(unit, hasUnit) from ${source}`)
    const found = yield* rows<readonly [row: number, column: number, count: number, units: number]>(
      `select ${slot("z", least.z, most.z, resolution.y)} as line, ${slot("x", least.x, most.x, resolution.x)} as place, count(), uniqExactIf(unit, hasUnit)
        from ${source} and ${inside.join(" and ")} group by line, place order by line, place`
    )
    return {
      cells: found.map(([row, column, count, units]) => ({ column, row, count, units })),
      totalEvents: totals?.[0] ?? 0,
      uniqueUsers: totals?.[1] ?? 0,
      insideBounds: found.reduce((sum, [, , count]) => sum + count, 0)
    } satisfies HeatmapAnswer
  })
