import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { HeatmapId } from "../../src/domain/Ids.ts"
import { ApplicationNotFound, Forbidden, ImageInvalid, ImageNotFound } from "../access/AccessErrors.ts"
import { HeatmapLimitReached, HeatmapNotFound } from "./AnalyticsErrors.ts"
import { SessionOrServer } from "../access/Auth.ts"
import { Bounds } from "./HeatmapQueries.ts"
import { ifNoneMatch, ImageBytes, mapUpload, NotModified, version } from "../access/Images.ts"
import { optional, withDefault } from "../Optional.ts"
import { applicationId, heatmapId, Page, Paging } from "../Parameters.ts"
import { RawBody } from "../RawBody.ts"
import { Description, Title } from "../Text.ts"
import { requires } from "../access/RequiredPermission.ts"
import { example } from "../Example.ts"

/** Where a heatmap lies in the world, and how fine its grid is. */
export const HeatmapRecord = Schema.Struct({
  id: HeatmapId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  bounds: Bounds,
  resolutionFactor: Schema.Number,
  imageUrl: Schema.NullOr(Schema.String)
}).annotations({ identifier: "Heatmap" })
export type HeatmapRecord = typeof HeatmapRecord.Type

export const HeatmapPage = Page(HeatmapRecord).annotations({ identifier: "HeatmapPage" })
export type HeatmapPage = typeof HeatmapPage.Type

export const HeatmapDefinition = Schema.Struct({
  name: Title,
  description: optional(Schema.NullOr(Description)),
  bounds: Bounds,
  resolutionFactor: withDefault(Schema.JsonNumber.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(1000)), 1)
})
  .annotations({ identifier: "HeatmapDefinition" })
  .pipe(
    example({
      name: "Castle courtyard",
      bounds: { pointA: { x: -256, y: 0, z: -256 }, pointB: { x: 256, y: 128, z: 256 } },
      resolutionFactor: 2
    })
  )
export type HeatmapDefinition = typeof HeatmapDefinition.Type

export class HeatmapsGroup extends HttpApiGroup.make("heatmaps")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/analytics/v1/heatmaps`
      .setUrlParams(Paging)
      .addSuccess(HeatmapPage)
      .annotateContext(requires("analytics:read", "project"))
      .annotate(OpenApi.Summary, "Heatmap definitions of the project")
  )
  .add(
    HttpApiEndpoint.post("create")`/application/${applicationId}/analytics/v1/heatmaps`
      .setPayload(HeatmapDefinition)
      .addSuccess(HeatmapRecord, { status: 201 })
      .addError(HeatmapLimitReached)
      .annotateContext(requires("queries:write", "project"))
      .annotate(OpenApi.Summary, "Define a heatmap")
  )
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}/analytics/v1/heatmaps/${heatmapId}`
      .addSuccess(HeatmapRecord)
      .addError(HeatmapNotFound)
      .annotateContext(requires("analytics:read", "project"))
      .annotate(OpenApi.Summary, "A heatmap definition")
  )
  .add(
    HttpApiEndpoint.put("update")`/application/${applicationId}/analytics/v1/heatmaps/${heatmapId}`
      .setPayload(HeatmapDefinition)
      .addSuccess(HeatmapRecord)
      .addError(HeatmapNotFound)
      .annotateContext(requires("queries:write", "environments"))
      .annotate(OpenApi.Summary, "Replace a heatmap definition")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/analytics/v1/heatmaps/${heatmapId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(HeatmapNotFound)
      .annotateContext(requires("queries:write", "environments"))
      .annotate(OpenApi.Summary, "Delete a heatmap definition with its image")
  )
  .add(
    HttpApiEndpoint.put("putImage")`/application/${applicationId}/analytics/v1/heatmaps/${heatmapId}/image`
      .addSuccess(HeatmapRecord)
      .addError(HeatmapNotFound)
      .addError(ImageInvalid)
      .annotate(RawBody, true)
      .annotateContext(requires("queries:write", "environments"))
      .annotate(OpenApi.Summary, "Set the map image: PNG, JPEG or WebP of at most 4 MiB and 8192 pixels a side")
      .annotate(OpenApi.Override, mapUpload)
  )
  .add(
    HttpApiEndpoint.get("image")`/application/${applicationId}/analytics/v1/heatmaps/${heatmapId}/image`
      .setHeaders(ifNoneMatch)
      .setUrlParams(version)
      .addSuccess(ImageBytes)
      .addSuccess(NotModified)
      .addError(HeatmapNotFound)
      .addError(ImageNotFound)
      .annotateContext(requires("analytics:read", "project"))
      .annotate(OpenApi.Summary, "The map image")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .middleware(SessionOrServer)
  .annotate(OpenApi.Title, "Heatmaps")
  .annotate(OpenApi.Description, "Definitions of heatmaps: bounds in the world, resolution and map image.") {}
