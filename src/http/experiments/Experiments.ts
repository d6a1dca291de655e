import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { ExperimentOverview } from "../../services/experiments/ExperimentOverview.ts"
import { Experiments } from "../../services/experiments/Experiments.ts"
import { Results } from "../../services/experiments/Results.ts"
import { Rollouts } from "../../services/experiments/Rollouts.ts"

interface Addressed {
  readonly path: { readonly applicationId: ApplicationId }
  readonly headers: { readonly environment_id?: EnvironmentId }
}

export const placeOf = ({ path, headers }: Addressed) => ({
  applicationId: path.applicationId,
  environmentId: headers.environment_id
})

export const ExperimentsHttp = HttpApiBuilder.group(Api, "experiments", (handlers) =>
  Effect.gen(function* () {
    const experiments = yield* Experiments
    const overview = yield* ExperimentOverview
    const results = yield* Results
    const rollouts = yield* Rollouts
    return handlers
      .handle("list", (request) => experiments.list(placeOf(request), request.urlParams))
      .handle("create", (request) => experiments.create(placeOf(request), request.payload))
      .handle("catalog", (request) => overview.catalog(placeOf(request)))
      .handle("assignmentCounts", (request) => overview.assignmentCounts(placeOf(request)))
      .handle("contextProperties", (request) => overview.contextProperties(placeOf(request)))
      .handle("get", (request) => experiments.get(placeOf(request), request.path.experimentId))
      .handle("update", (request) => experiments.update(placeOf(request), request.path.experimentId, request.payload))
      .handle("groupCounts", (request) => overview.groupCounts(placeOf(request), request.path.experimentId))
      .handle("retryCohort", (request) =>
        overview.retryCohort(placeOf(request), request.path.experimentId, request.path.cohortId)
      )
      .handle("rollout", (request) => rollouts.get(placeOf(request), request.path.experimentId))
      .handle("changeRollout", (request) =>
        rollouts.change(placeOf(request), request.path.experimentId, request.payload)
      )
      .handle("terminate", (request) =>
        experiments.terminate(placeOf(request), request.path.experimentId, request.payload)
      )
      .handle("results", (request) =>
        results.of({ ...placeOf(request), experimentId: request.path.experimentId }, request.urlParams)
      )
  })
)
