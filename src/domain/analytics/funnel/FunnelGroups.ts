import { type GroupValues, groupKey, groupOf } from "../filter/Breakdown.ts"
import type { FunnelPlan } from "./FunnelPlan.ts"
import { groupBy } from "../filter/Grouping.ts"
import type { GroupedResult } from "./FunnelResults.ts"
import { type FunnelMarker, unitFunnel } from "./UnitFunnel.ts"

type Markers = ReadonlyArray<FunnelMarker>

/** Finds the groups that a unit is in, with the unit's result in each (specification, breakdown attribution). */
export const groupedFunnel = (
  plan: FunnelPlan
): ((unitId: string, markers: Markers) => ReadonlyArray<GroupedResult>) => {
  const { attribution, breakdowns } = plan
  const run = unitFunnel(plan)
  if (breakdowns.length === 0) return (unitId, markers) => [{ group: [], result: run(unitId, markers) }]
  const valuesOf = groupOf(breakdowns)
  const missing = breakdowns.map(() => null)
  const touched = (markers: Markers): ReadonlyArray<GroupValues> =>
    markers
      .filter(({ steps }) => steps !== 0)
      .map(({ event }) => valuesOf(event))
      .filter((values) => values.some((value) => value !== null))

  switch (attribution.type) {
    case "all":
      return (unitId, markers) =>
        [...groupBy(markers, ({ event }) => groupKey(valuesOf(event))).values()].map((own) => ({
          group: valuesOf(own[0]!.event),
          result: run(unitId, own)
        }))
    case "step":
      return (unitId, markers) => {
        const result = run(unitId, markers)
        const event = result.path[attribution.step] ?? null
        return event === null ? [] : [{ group: valuesOf(event), result }]
      }
    case "first":
    case "last":
      return (unitId, markers) => {
        const group = touched(markers).at(attribution.type === "first" ? 0 : -1) ?? missing
        return [{ group, result: run(unitId, markers) }]
      }
  }
}
