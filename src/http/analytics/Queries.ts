import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Queries } from "../../services/analytics/Queries.ts"
import { QueryUsers } from "../../services/analytics/QueryUsers.ts"
import { whereOf } from "../Address.ts"

export const QueriesHttp = HttpApiBuilder.group(Api, "queries", (handlers) =>
  Effect.map(Effect.all([Queries, QueryUsers]), ([queries, users]) =>
    handlers
      .handle("insights", (request) => queries.insights(whereOf(request), request.payload))
      .handle("insightUsers", (request) => users.insights(whereOf(request), request.payload, request.urlParams))
      .handle("funnels", (request) => queries.funnels(whereOf(request), request.payload))
      .handle("funnelUsers", (request) => users.funnels(whereOf(request), request.payload, request.urlParams))
      .handle("funnelNext", (request) => users.next(whereOf(request), request.payload))
      .handle("retention", (request) => queries.retention(whereOf(request), request.payload))
      .handle("retentionUsers", (request) => users.retention(whereOf(request), request.payload, request.urlParams))
      .handle("heatmaps", (request) => queries.heatmaps(whereOf(request), request.payload))
      .handle("heatmapUsers", (request) => users.heatmaps(whereOf(request), request.payload, request.urlParams))
      .handle("heatmapArguments", (request) => users.heatmapArguments(whereOf(request), request.payload))
  )
)
