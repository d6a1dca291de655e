import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Estimates } from "../../services/experiments/Estimates.ts"
import { ExperimentOverview } from "../../services/experiments/ExperimentOverview.ts"
import { Experiments } from "../../services/experiments/Experiments.ts"
import { Results } from "../../services/experiments/Results.ts"
import { Rollouts } from "../../services/experiments/Rollouts.ts"
import { applicationWhereOf } from "../Address.ts"

export const ExperimentsHttp = HttpApiBuilder.group(Api, "experiments", (handlers) =>
  Effect.gen(function* () {
    const experiments = yield* Experiments
    const estimates = yield* Estimates
    const overview = yield* ExperimentOverview
    const results = yield* Results
    const rollouts = yield* Rollouts
    return handlers
      .handle("list", (request) =>
        Effect.map(experiments.list(applicationWhereOf(request), request.urlParams), (bytes) =>
          HttpServerResponse.uint8Array(bytes, { contentType: "application/json" })
        )
      )
      .handle("create", (request) => experiments.create(applicationWhereOf(request), request.payload))
      .handle("estimate", (request) => estimates.of(applicationWhereOf(request), request.payload))
      .handle("catalog", (request) => overview.catalog(applicationWhereOf(request)))
      .handle("assignmentCounts", (request) => overview.assignmentCounts(applicationWhereOf(request)))
      .handle("contextProperties", (request) => overview.contextProperties(applicationWhereOf(request)))
      .handle("get", (request) => experiments.get(applicationWhereOf(request), request.path.experimentId))
      .handle("update", (request) =>
        experiments.update(applicationWhereOf(request), request.path.experimentId, request.payload)
      )
      .handle("groupCounts", (request) => overview.groupCounts(applicationWhereOf(request), request.path.experimentId))
      .handle("retryCohort", (request) =>
        overview.retryCohort(applicationWhereOf(request), request.path.experimentId, request.path.cohortId)
      )
      .handle("rollout", (request) => rollouts.get(applicationWhereOf(request), request.path.experimentId))
      .handle("changeRollout", (request) =>
        rollouts.change(applicationWhereOf(request), request.path.experimentId, request.payload)
      )
      .handle("terminate", (request) =>
        experiments.terminate(applicationWhereOf(request), request.path.experimentId, request.payload)
      )
      .handle("results", (request) =>
        results.of({ ...applicationWhereOf(request), experimentId: request.path.experimentId }, request.urlParams)
      )
  })
)
