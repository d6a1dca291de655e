import type { DateTime } from "effect"
import type { ApplicationId, HeatmapId } from "../../Ids.ts"
import type { Bounds } from "./HeatmapPlan.ts"

/** Where a heatmap of a project lies in the world, and how fine its grid is. */
export interface HeatmapDefinition {
  readonly id: HeatmapId
  /** Counts the definitions of all projects in order of creation. */
  readonly ordinal: number
  readonly applicationId: ApplicationId
  readonly name: string
  readonly description: string | null
  readonly bounds: Bounds
  readonly resolutionFactor: number
  /** Names the content of the map image; null without one. */
  readonly imageTag: string | null
  readonly createdAt: DateTime.Utc
}

export type NewHeatmapDefinition = Omit<HeatmapDefinition, "ordinal">
