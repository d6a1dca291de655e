import type { FunnelPlan } from "./FunnelPlan.ts"
import type { GroupedResult } from "./FunnelResults.ts"
import { groupedTracks } from "./TrackFunnel.ts"
import { type FunnelMarker, trackOf } from "./UnitFunnel.ts"

/** Finds the groups that a unit is in, with the unit's result in each (specification, breakdown attribution). */
export const groupedFunnel = (
  plan: FunnelPlan
): ((unitId: string, markers: ReadonlyArray<FunnelMarker>) => ReadonlyArray<GroupedResult>) => {
  const run = groupedTracks(plan)
  return (unitId, markers) => {
    const { track, groups } = trackOf(plan, markers)
    return run(track).map(({ group, result }) => ({ group: groups[group]!, result: { unitId, ...result } }))
  }
}
