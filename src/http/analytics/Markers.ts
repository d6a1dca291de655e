import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { Markers } from "../../services/analytics/Markers.ts"

interface Addressed {
  readonly path: { readonly applicationId: ApplicationId }
  readonly headers: { readonly environment_id: EnvironmentId }
}

const where = ({ path, headers }: Addressed) => ({
  applicationId: path.applicationId,
  environmentId: headers.environment_id
})

export const MarkersHttp = HttpApiBuilder.group(Api, "markers", (handlers) =>
  Effect.map(Markers, (markers) =>
    handlers
      .handle("arguments", (request) => markers.arguments(where(request), request.urlParams.type))
      .handle("argumentValues", (request) => markers.values(where(request), "argument", request.urlParams))
      .handle("setMetadata", (request) => markers.setMetadata(where(request), request.payload))
      .handle("properties", (request) => markers.properties(where(request), request.urlParams.type))
      .handle("propertyValues", (request) => markers.values(where(request), "property", request.urlParams))
      .handle("raw", (request) => markers.raw(where(request), request.payload))
      .handle("types", (request) => markers.types(where(request)))
      .handle("pendingTypes", (request) => markers.pendingTypes(where(request)))
  )
)
