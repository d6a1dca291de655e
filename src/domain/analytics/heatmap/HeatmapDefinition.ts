import type { DateTime } from "effect"
import type { ApplicationId, HeatmapId } from "../../Ids.ts"
import type { Bounds } from "./HeatmapPlan.ts"

/** The part of a game's world that a heatmap covers, with the fineness of its grid. */
export interface HeatmapDefinition {
  readonly id: HeatmapId
  /** The definition's number, counted over all projects in order of creation. */
  readonly ordinal: number
  readonly applicationId: ApplicationId
  readonly name: string
  readonly description: string | null
  readonly bounds: Bounds
  readonly resolutionFactor: number
  /** Content hash of the map image; null without one. */
  readonly imageTag: string | null
  readonly createdAt: DateTime.Utc
}

export type NewHeatmapDefinition = Omit<HeatmapDefinition, "ordinal">
