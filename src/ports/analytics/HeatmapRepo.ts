import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { HeatmapDefinition, NewHeatmapDefinition } from "../../domain/analytics/heatmap/HeatmapDefinition.ts"
import type { ApplicationId, HeatmapId } from "../../domain/Ids.ts"

/** The image of a map, exactly as it was uploaded. */
export interface MapImage {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Heatmap definitions and their map images. */
export class HeatmapRepo extends Context.Tag("ports/analytics/HeatmapRepo")<
  HeatmapRepo,
  {
    readonly insert: (definition: NewHeatmapDefinition) => Effect.Effect<HeatmapDefinition>
    readonly update: (definition: HeatmapDefinition) => Effect.Effect<HeatmapDefinition>
    /** Removes the definition with its image. */
    readonly remove: (id: HeatmapId) => Effect.Effect<void>
    readonly find: (applicationId: ApplicationId, id: HeatmapId) => Effect.Effect<Option.Option<HeatmapDefinition>>
    /** By ordinal, ascending. */
    readonly list: (applicationId: ApplicationId) => Effect.Effect<ReadonlyArray<HeatmapDefinition>>
    readonly image: (id: HeatmapId) => Effect.Effect<Option.Option<MapImage>>
    /** Stores the image, replacing the previous one if there is one. */
    readonly putImage: (id: HeatmapId, image: MapImage) => Effect.Effect<void>
  }
>() {}
