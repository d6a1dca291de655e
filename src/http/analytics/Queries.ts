import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Queries } from "../../services/analytics/Queries.ts"
import { whereOf } from "../Address.ts"

export const QueriesHttp = HttpApiBuilder.group(Api, "queries", (handlers) =>
  Effect.map(Queries, (queries) =>
    handlers
      .handle("insights", (request) => queries.insights(whereOf(request), request.payload))
      .handle("funnels", (request) => queries.funnels(whereOf(request), request.payload))
      .handle("funnelUsers", (request) => queries.funnelUsers(whereOf(request), request.payload, request.urlParams))
      .handle("retention", (request) => queries.retention(whereOf(request), request.payload))
      .handle("heatmaps", (request) => queries.heatmaps(whereOf(request), request.payload))
  )
)
