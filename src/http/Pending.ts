import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../../schema/Api.ts"
import { NotImplemented } from "../../schema/Errors.ts"

const pending = () => Effect.die(new NotImplemented({ message: "This endpoint is not built yet" }))

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
  )
)
