import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../../schema/Api.ts"
import { NotImplemented } from "../../schema/Errors.ts"

export const pending = () => Effect.die(new NotImplemented({ message: "This endpoint is not built yet" }))

export const PendingHttp = Layer.mergeAll(
  HttpApiBuilder.group(Api, "organizations", (handlers) =>
    handlers
      .handle("list", pending)
      .handle("create", pending)
      .handle("get", pending)
      .handle("update", pending)
      .handle("members", pending)
      .handle("addMember", pending)
      .handle("setMemberRole", pending)
      .handle("removeMember", pending)
  ),
  HttpApiBuilder.group(Api, "invitations", (handlers) =>
    handlers.handle("list", pending).handle("create", pending).handle("revoke", pending).handle("accept", pending)
  ),
  HttpApiBuilder.group(Api, "icons", (handlers) =>
    handlers.handle("put", pending).handle("get", pending).handle("remove", pending)
  ),
  HttpApiBuilder.group(Api, "projects", (handlers) =>
    handlers
      .handle("list", pending)
      .handle("create", pending)
      .handle("get", pending)
      .handle("update", pending)
      .handle("remove", pending)
  ),
  HttpApiBuilder.group(Api, "environments", (handlers) =>
    handlers.handle("list", pending).handle("create", pending).handle("update", pending).handle("remove", pending)
  ),
  HttpApiBuilder.group(Api, "roles", (handlers) =>
    handlers
      .handle("list", pending)
      .handle("get", pending)
      .handle("grants", pending)
      .handle("projectGrants", pending)
      .handle("create", pending)
      .handle("update", pending)
      .handle("remove", pending)
      .handle("setGrant", pending)
      .handle("setProjectGrant", pending)
      .handle("removeProjectGrant", pending)
  ),
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
