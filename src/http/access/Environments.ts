import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Environments } from "../../services/access/Environments.ts"

export const EnvironmentsHttp = HttpApiBuilder.group(Api, "environments", (handlers) =>
  Effect.map(Environments, (environments) =>
    handlers
      .handle("list", ({ path }) => environments.list(path.applicationId))
      .handle("create", ({ path, payload }) => environments.create(path.applicationId, payload))
      .handle("update", ({ path, payload }) => environments.update(path.applicationId, path.environmentId, payload))
      .handle("remove", ({ path }) => environments.remove(path.applicationId, path.environmentId))
  )
)
