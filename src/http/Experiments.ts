import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../schema/Api.ts"
import { Results } from "../services/Results.ts"
import { notImplemented } from "./NotImplemented.ts"

export const ExperimentsHttp = HttpApiBuilder.group(Api, "experiments", (handlers) =>
  Effect.map(Results, (results) =>
    handlers
      .handle("list", notImplemented)
      .handle("create", notImplemented)
      .handle("catalog", notImplemented)
      .handle("assignmentCounts", notImplemented)
      .handle("contextProperties", notImplemented)
      .handle("get", notImplemented)
      .handle("update", notImplemented)
      .handle("groupCounts", notImplemented)
      .handle("retryCohort", notImplemented)
      .handle("rollout", notImplemented)
      .handle("changeRollout", notImplemented)
      .handle("terminate", notImplemented)
      .handle("results", ({ path, headers, urlParams }) =>
        results.of({ ...path, environmentId: headers.environment_id }, urlParams)
      )
  )
)
