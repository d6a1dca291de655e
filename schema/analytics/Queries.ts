import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Overloaded } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden, TimeZoneUnknown } from "../access/AccessErrors.ts"
import {
  FormulaInvalid,
  HeatmapNotFound,
  QueryInvalid,
  QueryLimitExceeded,
  QueryTimeout,
  ReferenceInvalid,
  TimeRangeInvalid,
  TooManyQueries
} from "./AnalyticsErrors.ts"
import { SessionOrServer } from "../access/Auth.ts"
import { FunnelNext, FunnelQuery, FunnelResult, FunnelUser, FunnelUsersQuery } from "./Funnels.ts"
import { HeatmapArguments, HeatmapQuery, HeatmapResult } from "./HeatmapQueries.ts"
import { InsightQuery, InsightResult } from "./Insights.ts"
import { applicationId, EnvironmentHeader, Page, Paging } from "../Parameters.ts"
import { HeatmapUsersQuery, InsightUsersQuery, QueryUserPage, RetentionUsersQuery } from "./QueryUsers.ts"
import { RetentionQuery, RetentionResult } from "./Retention.ts"
import { requires } from "../access/RequiredPermission.ts"

export const FunnelUserPage = Page(FunnelUser).annotations({ identifier: "FunnelUserPage" })
export type FunnelUserPage = typeof FunnelUserPage.Type

export class QueriesGroup extends HttpApiGroup.make("queries")
  .add(
    HttpApiEndpoint.post("insights")`/application/${applicationId}/analytics/v1/queries/insights/execute`
      .setHeaders(EnvironmentHeader)
      .setPayload(InsightQuery)
      .addSuccess(InsightResult)
      .addError(FormulaInvalid)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "Metrics over time, with formulas and breakdowns")
  )
  .add(
    HttpApiEndpoint.post("insightUsers")`/application/${applicationId}/analytics/v1/queries/insights/users`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(Paging)
      .setPayload(InsightUsersQuery)
      .addSuccess(QueryUserPage)
      .addError(FormulaInvalid)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "The units that a number of an insight counts")
  )
  .add(
    HttpApiEndpoint.post("funnels")`/application/${applicationId}/analytics/v1/queries/funnels/execute`
      .setHeaders(EnvironmentHeader)
      .setPayload(FunnelQuery)
      .addSuccess(FunnelResult)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "How many units pass each step of a path")
  )
  .add(
    HttpApiEndpoint.post("funnelUsers")`/application/${applicationId}/analytics/v1/queries/funnels/users`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(Paging)
      .setPayload(FunnelUsersQuery)
      .addSuccess(FunnelUserPage)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "The units that a number of a funnel counts")
  )
  .add(
    HttpApiEndpoint.post("funnelNext")`/application/${applicationId}/analytics/v1/queries/funnels/next`
      .setHeaders(EnvironmentHeader)
      .setPayload(FunnelUsersQuery)
      .addSuccess(FunnelNext)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "What the units that a number of a funnel counts did next")
  )
  .add(
    HttpApiEndpoint.post("retention")`/application/${applicationId}/analytics/v1/queries/retention/execute`
      .setHeaders(EnvironmentHeader)
      .setPayload(RetentionQuery)
      .addSuccess(RetentionResult)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "How many units come back, by the period they started in")
  )
  .add(
    HttpApiEndpoint.post("retentionUsers")`/application/${applicationId}/analytics/v1/queries/retention/users`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(Paging)
      .setPayload(RetentionUsersQuery)
      .addSuccess(QueryUserPage)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "The units of a cell of retention that came back, or did not")
  )
  .add(
    HttpApiEndpoint.post("heatmaps")`/application/${applicationId}/analytics/v1/queries/heatmaps/execute`
      .setHeaders(EnvironmentHeader)
      .setPayload(HeatmapQuery)
      .addSuccess(HeatmapResult)
      .addError(HeatmapNotFound)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "Where in the world markers happen")
  )
  .add(
    HttpApiEndpoint.post("heatmapUsers")`/application/${applicationId}/analytics/v1/queries/heatmaps/users`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(Paging)
      .setPayload(HeatmapUsersQuery)
      .addSuccess(QueryUserPage)
      .addError(HeatmapNotFound)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "The units whose markers lie in an area of a heatmap")
  )
  .add(
    HttpApiEndpoint.post("heatmapArguments")`/application/${applicationId}/analytics/v1/queries/heatmaps/arguments`
      .setHeaders(EnvironmentHeader)
      .setPayload(HeatmapUsersQuery)
      .addSuccess(HeatmapArguments)
      .addError(HeatmapNotFound)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "What the markers in an area of a heatmap say in their arguments")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .addError(TimeZoneUnknown)
  .addError(TimeRangeInvalid)
  .addError(QueryInvalid)
  .addError(ReferenceInvalid)
  .addError(QueryLimitExceeded)
  .addError(QueryTimeout)
  .addError(Overloaded)
  .addError(TooManyQueries)
  .middleware(SessionOrServer)
  .annotate(OpenApi.Title, "Analytics queries")
  .annotate(OpenApi.Description, "Insights, funnels, retention and heatmaps over the markers of one environment.") {}
