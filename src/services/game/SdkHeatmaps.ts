import { Effect } from "effect"
import type { GameHeaders } from "../../../schema/game/GameHeaders.ts"
import type { HeatmapDefinition } from "../../../schema/analytics/Heatmaps.ts"
import type { EditorHeatmap, HeatmapReference } from "../../../schema/game/SdkHeatmaps.ts"
import type { HeatmapDefinition as Stored } from "../../domain/analytics/heatmap/HeatmapDefinition.ts"
import type { HeatmapId } from "../../domain/Ids.ts"
import { HeatmapRepo } from "../../ports/analytics/HeatmapRepo.ts"
import { GameAccess } from "./GameAccess.ts"
import { Heatmaps } from "../analytics/Heatmaps.ts"

const editorHeatmap = ({ id, name, description, bounds, resolutionFactor }: Stored): EditorHeatmap => ({
  id,
  name,
  description,
  bounds,
  resolutionFactor
})

/** Heatmap definitions for the game's editor: games read them; a change needs a key that may also change them outside of the game. */
export class SdkHeatmaps extends Effect.Service<SdkHeatmaps>()("services/game/SdkHeatmaps", {
  effect: Effect.gen(function* () {
    const access = yield* GameAccess
    const heatmaps = yield* Heatmaps
    const repo = yield* HeatmapRepo

    const list = Effect.fnUntraced(function* (headers: GameHeaders) {
      const { id } = yield* access.application("sdk:read", headers)
      return (yield* repo.list(id)).map(editorHeatmap)
    })

    const create = Effect.fnUntraced(function* (headers: GameHeaders, definition: HeatmapDefinition) {
      const application = yield* access.application("queries:write", headers)
      const { id } = yield* heatmaps.create(application.id, definition)
      return { id } satisfies HeatmapReference
    })

    const update = Effect.fnUntraced(function* (headers: GameHeaders, id: HeatmapId, definition: HeatmapDefinition) {
      const application = yield* access.application("queries:write", headers)
      yield* heatmaps.update(application.id, id, definition)
      return { id } satisfies HeatmapReference
    })

    const remove = Effect.fnUntraced(function* (headers: GameHeaders, id: HeatmapId) {
      const application = yield* access.application("queries:write", headers)
      yield* heatmaps.remove(application.id, id)
      return { id } satisfies HeatmapReference
    })

    const putImage = Effect.fnUntraced(function* <E, R>(
      headers: GameHeaders,
      id: HeatmapId,
      upload: Effect.Effect<Uint8Array, E, R>
    ) {
      const application = yield* access.application("queries:write", headers)
      yield* heatmaps.putImage(application.id, id, upload)
      return { id } satisfies HeatmapReference
    })

    return { list, create, update, remove, putImage } as const
  })
}) {}
