import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { EnvironmentRecord } from "../../../schema/access/Environments.ts"
import { Environments } from "../../services/access/Environments.ts"
import { listAnswer } from "../ListAnswer.ts"

const answer = listAnswer(EnvironmentRecord)

export const EnvironmentsHttp = HttpApiBuilder.group(Api, "environments", (handlers) =>
  Effect.map(Environments, (environments) =>
    handlers
      .handle("list", ({ path }) => answer(environments.list(path.applicationId)))
      .handle("create", ({ path, payload }) => environments.create(path.applicationId, payload))
      .handle("update", ({ path, payload }) => environments.update(path.applicationId, path.environmentId, payload))
      .handle("remove", ({ path }) => environments.remove(path.applicationId, path.environmentId))
  )
)
