import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import {
  tableOfFunnel,
  tableOfHeatmap,
  tableOfInsight,
  tableOfRetention
} from "../../domain/analytics/table/AnswerTables.ts"
import { Queries } from "../../services/analytics/Queries.ts"
import { QueryUsers } from "../../services/analytics/QueryUsers.ts"
import { TableAnswers } from "../platform/TableAnswers.ts"
import { whereOf } from "../Address.ts"

export const QueriesHttp = HttpApiBuilder.group(Api, "queries", (handlers) =>
  Effect.map(Effect.all([Queries, QueryUsers, TableAnswers]), ([queries, users, { asked }]) =>
    handlers
      .handle("insights", (request) =>
        asked(request, queries.insights(whereOf(request), request.payload), tableOfInsight)
      )
      .handle("insightUsers", (request) => users.insights(whereOf(request), request.payload, request.urlParams))
      .handle("funnels", (request) => asked(request, queries.funnels(whereOf(request), request.payload), tableOfFunnel))
      .handle("funnelUsers", (request) => users.funnels(whereOf(request), request.payload, request.urlParams))
      .handle("funnelNext", (request) => users.next(whereOf(request), request.payload))
      .handle("retention", (request) =>
        asked(request, queries.retention(whereOf(request), request.payload), tableOfRetention)
      )
      .handle("retentionUsers", (request) => users.retention(whereOf(request), request.payload, request.urlParams))
      .handle("heatmaps", (request) =>
        asked(request, queries.heatmaps(whereOf(request), request.payload), tableOfHeatmap)
      )
      .handle("heatmapUsers", (request) => users.heatmaps(whereOf(request), request.payload, request.urlParams))
      .handle("heatmapArguments", (request) => users.heatmapArguments(whereOf(request), request.payload))
  )
)
