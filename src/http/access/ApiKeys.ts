import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { ApiKeys } from "../../services/access/ApiKeys.ts"

export const ApiKeysHttp = HttpApiBuilder.group(Api, "apiKeys", (handlers) =>
  Effect.map(ApiKeys, (keys) =>
    handlers
      .handle("list", ({ path }) => keys.list(path.organizationId))
      .handle("create", ({ path, payload }) => keys.create(path.organizationId, payload))
      .handle("rotate", ({ path, payload }) => keys.rotate(path.organizationId, path.apiKeyId, payload))
      .handle("update", ({ path, payload }) => keys.update(path.organizationId, path.apiKeyId, payload))
      .handle("setPermissions", ({ path, payload }) =>
        keys.setPermissions(path.organizationId, path.apiKeyId, payload.permissions)
      )
      .handle("setEnvironments", ({ path, payload }) =>
        keys.setEnvironments(path.organizationId, path.apiKeyId, payload.environmentIds)
      )
      .handle("setProjects", ({ path, payload }) => keys.setProjects(path.organizationId, path.apiKeyId, payload))
      .handle("deactivate", ({ path }) => keys.deactivate(path.organizationId, path.apiKeyId))
  )
)
