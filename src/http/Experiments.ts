import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const ExperimentsHttp = HttpApiBuilder.group(Api, "experiments", (handlers) =>
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
    .handle("results", notImplemented)
)
