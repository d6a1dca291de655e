import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const MarkersHttp = HttpApiBuilder.group(Api, "markers", (handlers) =>
  handlers
    .handle("arguments", notImplemented)
    .handle("argumentValues", notImplemented)
    .handle("setMetadata", notImplemented)
    .handle("properties", notImplemented)
    .handle("propertyValues", notImplemented)
    .handle("raw", notImplemented)
    .handle("types", notImplemented)
    .handle("pendingTypes", notImplemented)
)
