import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Markers } from "../../services/analytics/Markers.ts"
import { whereOf } from "../Address.ts"

export const MarkersHttp = HttpApiBuilder.group(Api, "markers", (handlers) =>
  Effect.map(Markers, (markers) =>
    handlers
      .handle("arguments", (request) => markers.arguments(whereOf(request), request.urlParams.type))
      .handle("argumentValues", (request) => markers.values(whereOf(request), "argument", request.urlParams))
      .handle("setMetadata", (request) => markers.setMetadata(whereOf(request), request.payload))
      .handle("properties", (request) => markers.properties(whereOf(request), request.urlParams.type))
      .handle("propertyValues", (request) => markers.values(whereOf(request), "property", request.urlParams))
      .handle("raw", (request) => markers.raw(whereOf(request), request.payload))
      .handle("types", (request) => markers.types(whereOf(request)))
      .handle("pendingTypes", (request) => markers.pendingTypes(whereOf(request)))
  )
)
