import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../../schema/Api.ts"
import { NotImplemented } from "../../schema/Errors.ts"

export const pending = () => Effect.die(new NotImplemented({ message: "This endpoint is not built yet" }))

export const PendingHttp = Layer.mergeAll(
  HttpApiBuilder.group(Api, "markers", (handlers) =>
    handlers
      .handle("arguments", pending)
      .handle("argumentValues", pending)
      .handle("setMetadata", pending)
      .handle("properties", pending)
      .handle("propertyValues", pending)
      .handle("raw", pending)
      .handle("types", pending)
      .handle("pendingTypes", pending)
  ),
  HttpApiBuilder.group(Api, "savedQueries", (handlers) =>
    handlers
      .handle("list", pending)
      .handle("create", pending)
      .handle("get", pending)
      .handle("update", pending)
      .handle("remove", pending)
      .handle("execute", pending)
      .handle("request", pending)
      .handle("state", pending)
      .handle("cancel", pending)
  ),
  HttpApiBuilder.group(Api, "heatmaps", (handlers) =>
    handlers
      .handle("list", pending)
      .handle("create", pending)
      .handle("get", pending)
      .handle("update", pending)
      .handle("remove", pending)
      .handle("putImage", pending)
      .handle("image", pending)
  )
)
