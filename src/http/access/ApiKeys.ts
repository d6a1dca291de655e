import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { ApiKeyRecord } from "../../../schema/access/KeyRecord.ts"
import { ApiKeys } from "../../services/access/ApiKeys.ts"
import { listAnswer } from "../ListAnswer.ts"

const answer = listAnswer(ApiKeyRecord)

export const ApiKeysHttp = HttpApiBuilder.group(Api, "apiKeys", (handlers) =>
  Effect.map(ApiKeys, (keys) =>
    handlers
      .handle("list", ({ path }) => answer(keys.list(path.organizationId)))
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
