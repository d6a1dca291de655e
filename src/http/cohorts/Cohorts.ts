import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { Cohorts } from "../../services/cohorts/Cohorts.ts"
import { CohortUsages } from "../../services/cohorts/CohortUsages.ts"

interface Addressed {
  readonly path: { readonly applicationId: ApplicationId }
  readonly headers: { readonly environment_id: EnvironmentId }
}

const where = ({ path, headers }: Addressed) => ({
  applicationId: path.applicationId,
  environmentId: headers.environment_id
})

export const CohortsHttp = HttpApiBuilder.group(Api, "cohorts", (handlers) =>
  Effect.map(Effect.all([Cohorts, CohortUsages]), ([cohorts, usages]) =>
    handlers
      .handle("list", (request) => cohorts.list(where(request)))
      .handle("create", (request) => cohorts.create(where(request), request.payload))
      .handle("execute", (request) => cohorts.execute(where(request), request.payload))
      .handle("get", (request) => cohorts.get(where(request), request.path.cohortId))
      .handle("update", (request) => cohorts.update(where(request), request.path.cohortId, request.payload))
      .handle("remove", (request) => cohorts.remove(where(request), request.path.cohortId))
      .handle("memberCount", (request) => cohorts.memberCount(where(request), request.path.cohortId, request.urlParams))
      .handle("members", (request) => cohorts.members(where(request), request.path.cohortId, request.urlParams))
      .handle("membership", (request) => cohorts.membership(where(request), request.path.cohortId, request.urlParams))
      .handle("usage", (request) => usages.of(where(request), request.path.cohortId))
  )
)
