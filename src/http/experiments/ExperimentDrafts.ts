import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { ExperimentDrafts } from "../../services/experiments/ExperimentDrafts.ts"
import { applicationWhereOf } from "../Address.ts"

export const ExperimentDraftsHttp = HttpApiBuilder.group(Api, "experimentDrafts", (handlers) =>
  Effect.map(ExperimentDrafts, (drafts) =>
    handlers
      .handle("replace", (request) =>
        drafts.replace(applicationWhereOf(request), request.path.experimentId, request.payload)
      )
      .handle("start", (request) =>
        drafts.start(applicationWhereOf(request), request.path.experimentId, request.payload)
      )
      .handle("copy", (request) => drafts.copy(applicationWhereOf(request), request.path.experimentId))
      .handle("remove", (request) => drafts.remove(applicationWhereOf(request), request.path.experimentId))
  )
)
