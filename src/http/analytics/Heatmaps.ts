import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Heatmaps, maxBytes } from "../../services/analytics/Heatmaps.ts"
import { image } from "../access/Image.ts"
import { upload } from "../access/Upload.ts"

export const HeatmapsHttp = HttpApiBuilder.group(Api, "heatmaps", (handlers) =>
  Effect.map(Heatmaps, (heatmaps) =>
    handlers
      .handle("list", ({ path, urlParams }) => heatmaps.list(path.applicationId, urlParams))
      .handle("create", ({ path, payload }) => heatmaps.create(path.applicationId, payload))
      .handle("get", ({ path }) => heatmaps.get(path.applicationId, path.heatmapId))
      .handle("update", ({ path, payload }) => heatmaps.update(path.applicationId, path.heatmapId, payload))
      .handle("remove", ({ path }) => heatmaps.remove(path.applicationId, path.heatmapId))
      .handle("putImage", ({ path }) => heatmaps.putImage(path.applicationId, path.heatmapId, upload(maxBytes)))
      .handle("image", ({ path, headers, urlParams }) =>
        Effect.map(heatmaps.image(path.applicationId, path.heatmapId), (found) =>
          image(found, { ifNoneMatch: headers["if-none-match"], version: urlParams.v })
        )
      )
  )
)
