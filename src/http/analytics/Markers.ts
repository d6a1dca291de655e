import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { acceptedFormat } from "../../domain/analytics/table/TableFormat.ts"
import { MarkerExports } from "../../services/analytics/MarkerExports.ts"
import { Markers } from "../../services/analytics/Markers.ts"
import { TableFiles } from "../../services/analytics/TableFiles.ts"
import { whereOf } from "../Address.ts"

export const MarkersHttp = HttpApiBuilder.group(Api, "markers", (handlers) =>
  Effect.map(Effect.all([Markers, MarkerExports, TableFiles]), ([markers, exports, files]) =>
    handlers
      .handle("arguments", (request) => markers.arguments(whereOf(request), request.urlParams.type))
      .handle("argumentValues", (request) => markers.values(whereOf(request), "argument", request.urlParams))
      .handle("setMetadata", (request) => markers.setMetadata(whereOf(request), request.payload))
      .handle("export", (request) =>
        Effect.map(exports.rows(whereOf(request), request.urlParams), ({ asOf, columns, groups }) => {
          const format = request.urlParams.format ?? acceptedFormat(request.request.headers["accept"] ?? "") ?? "ndjson"
          return HttpServerResponse.stream(files.write(format, columns, groups), {
            contentType: files.contentType(format),
            headers: {
              "content-disposition": `attachment; filename="markers.${format}"`,
              "gamekeeper-as-of": String(asOf),
              vary: "accept"
            }
          })
        })
      )
      .handle("exportDays", (request) => exports.days(whereOf(request), request.urlParams))
      .handle("properties", (request) => markers.properties(whereOf(request), request.urlParams.type))
      .handle("propertyValues", (request) => markers.values(whereOf(request), "property", request.urlParams))
      .handle("raw", (request) => markers.raw(whereOf(request), request.payload))
      .handle("types", (request) => markers.types(whereOf(request)))
      .handle("pendingTypes", (request) => markers.pendingTypes(whereOf(request)))
  )
)
