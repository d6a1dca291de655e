import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { maxBytes } from "../../services/analytics/Heatmaps.ts"
import { SdkHeatmaps } from "../../services/game/SdkHeatmaps.ts"
import { upload } from "../access/Upload.ts"

export const SdkHeatmapsHttp = HttpApiBuilder.group(Api, "sdkHeatmaps", (handlers) =>
  Effect.map(SdkHeatmaps, (heatmaps) =>
    handlers
      .handle("list", ({ headers }) => heatmaps.list(headers))
      .handle("create", ({ headers, payload }) => heatmaps.create(headers, payload))
      .handle("update", ({ headers, path, payload }) => heatmaps.update(headers, path.heatmapId, payload))
      .handle("remove", ({ headers, path }) => heatmaps.remove(headers, path.heatmapId))
      .handle("putImage", ({ headers, path }) => heatmaps.putImage(headers, path.heatmapId, upload(maxBytes)))
  )
)
