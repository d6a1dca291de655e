import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { Queries } from "../../services/analytics/Queries.ts"

interface Addressed {
  readonly path: { readonly applicationId: ApplicationId }
  readonly headers: { readonly environment_id: EnvironmentId }
}

const where = ({ path, headers }: Addressed) => ({
  applicationId: path.applicationId,
  environmentId: headers.environment_id
})

export const QueriesHttp = HttpApiBuilder.group(Api, "queries", (handlers) =>
  Effect.map(Queries, (queries) =>
    handlers
      .handle("insights", (request) => queries.insights(where(request), request.payload))
      .handle("funnels", (request) => queries.funnels(where(request), request.payload))
      .handle("funnelUsers", (request) => queries.funnelUsers(where(request), request.payload, request.urlParams))
      .handle("retention", (request) => queries.retention(where(request), request.payload))
      .handle("heatmaps", (request) => queries.heatmaps(where(request), request.payload))
  )
)
