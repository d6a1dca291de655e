import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { HeatmapId } from "../../src/domain/Ids.ts"
import { ApplicationNotFound, Forbidden, ImageInvalid } from "../access/AccessErrors.ts"
import { HeatmapLimitReached, HeatmapNotFound } from "../analytics/AnalyticsErrors.ts"
import { GameKey } from "../access/Auth.ts"
import { GameHeaders } from "./GameHeaders.ts"
import { HeatmapDefinition, HeatmapRecord } from "../analytics/Heatmaps.ts"
import { mapUpload } from "../access/Images.ts"
import { heatmapId } from "../Parameters.ts"
import { RawBody } from "../RawBody.ts"
import { requires } from "../access/RequiredPermission.ts"
import { RateLimited } from "../RequestErrors.ts"
import { Traffic } from "../Traffic.ts"

export const EditorHeatmap = HeatmapRecord.omit("imageUrl").annotations({ identifier: "EditorHeatmap" })
export type EditorHeatmap = typeof EditorHeatmap.Type

export const HeatmapReference = Schema.Struct({ id: HeatmapId }).annotations({ identifier: "HeatmapReference" })
export type HeatmapReference = typeof HeatmapReference.Type

export class SdkHeatmapsGroup extends HttpApiGroup.make("sdkHeatmaps")
  .add(
    HttpApiEndpoint.get("list", "/sdk/v1/heatmaps/list")
      .setHeaders(GameHeaders)
      .addSuccess(Schema.Array(EditorHeatmap))
      .annotateContext(requires("sdk:read", "project"))
      .annotate(OpenApi.Summary, "Heatmap definitions of the project")
  )
  .add(
    HttpApiEndpoint.post("create", "/sdk/v1/heatmaps/create")
      .setHeaders(GameHeaders)
      .setPayload(HeatmapDefinition)
      .addSuccess(HeatmapReference)
      .addError(HeatmapLimitReached)
      .annotateContext(requires("queries:write", "project"))
      .annotate(OpenApi.Summary, "Define a heatmap from the game's editor")
  )
  .add(
    HttpApiEndpoint.put("update")`/sdk/v1/heatmaps/${heatmapId}`
      .setHeaders(GameHeaders)
      .setPayload(HeatmapDefinition)
      .addSuccess(HeatmapReference)
      .addError(HeatmapNotFound)
      .annotateContext(requires("queries:write", "environments"))
      .annotate(OpenApi.Summary, "Replace a heatmap definition")
  )
  .add(
    HttpApiEndpoint.del("remove")`/sdk/v1/heatmaps/${heatmapId}`
      .setHeaders(GameHeaders)
      .addSuccess(HeatmapReference)
      .addError(HeatmapNotFound)
      .annotateContext(requires("queries:write", "environments"))
      .annotate(OpenApi.Summary, "Delete a heatmap definition")
  )
  .add(
    HttpApiEndpoint.post("putImage")`/sdk/v1/heatmaps/${heatmapId}/image`
      .setHeaders(GameHeaders)
      .addSuccess(HeatmapReference)
      .addError(HeatmapNotFound)
      .addError(ImageInvalid)
      .annotate(RawBody, true)
      .annotateContext(requires("queries:write", "environments"))
      .annotate(OpenApi.Summary, "Set the map image: PNG, JPEG or WebP of at most 4 MiB and 8192 pixels a side")
      .annotate(OpenApi.Override, mapUpload)
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .middleware(GameKey)
  .addError(RateLimited)
  .annotate(Traffic, "poll")
  .annotate(OpenApi.Title, "Game: heatmaps")
  .annotate(OpenApi.Description, "Heatmap definitions, for the game's editor.") {}
