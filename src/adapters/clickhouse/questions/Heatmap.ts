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

const nothing: HeatmapAnswer = { cells: [], totalEvents: 0, uniqueUsers: 0, insideBounds: 0 }

type Cell = readonly [isTotal: number, row: number, column: number, count: number, units: number]

/** Counts markers and units by cell. */
export const heatmapInSql = (plan: HeatmapPlan, { rows, where, conditions }: Telling) =>
  Effect.gen(function* () {
    const { range, bounds, resolution, heights } = plan
    // Where no metric is visible there is nothing to select from.
    if (plan.selectors.length === 0) return { answer: nothing, markers: 0 }
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
    const line = slot("z", least.z, most.z, resolution.y)
    const place = slot("x", least.x, most.x, resolution.x)
    // The cells, what is in none of them, and everything together.
    const found = yield* rows<Cell>(
      `select grouping(place), line, place, count(), uniqExactIf(unit, hasUnit) from
        (select unit, hasUnit, ${inside.join(" and ")} as isInside, if(isInside, ${line}, -1) as line, if(isInside, ${place}, -1) as place from ${source})
        group by grouping sets ((line, place), ()) order by line, place`
    )
    const totals = found.find(([isTotal]) => isTotal === 1)
    const cells = found.filter(([isTotal, , column]) => isTotal === 0 && column >= 0)
    const answer: HeatmapAnswer = {
      cells: cells.map(([, row, column, count, units]) => ({ column, row, count, units })),
      totalEvents: totals?.[3] ?? 0,
      uniqueUsers: totals?.[4] ?? 0,
      insideBounds: cells.reduce((sum, [, , , count]) => sum + count, 0)
    }
    return { answer, markers: answer.totalEvents }
  })
