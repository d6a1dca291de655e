import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { ApiKeyRecord } from "../../../schema/access/KeyRecord.ts"
import { PersonalTokens } from "../../services/access/PersonalTokens.ts"
import { listAnswer } from "../ListAnswer.ts"

const answer = listAnswer(ApiKeyRecord)

export const PersonalTokensHttp = HttpApiBuilder.group(Api, "personalTokens", (handlers) =>
  Effect.map(PersonalTokens, (tokens) =>
    handlers
      .handle("list", () => answer(tokens.list()))
      .handle("create", ({ payload }) => tokens.create(payload))
      .handle("rotate", ({ path, payload }) => tokens.rotate(path.patId, payload))
      .handle("update", ({ path, payload }) => tokens.update(path.patId, payload))
      .handle("setPermissions", ({ path, payload }) => tokens.setPermissions(path.patId, payload.permissions))
      .handle("setEnvironments", ({ path, payload }) => tokens.setEnvironments(path.patId, payload.environmentIds))
      .handle("setProjects", ({ path, payload }) => tokens.setProjects(path.patId, payload))
      .handle("deactivate", ({ path }) => tokens.deactivate(path.patId))
  )
)
