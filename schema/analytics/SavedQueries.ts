import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { QueryId, UserId } from "../../src/domain/Ids.ts"
import { basedOn } from "../BasedOn.ts"
import { Overloaded } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden, TimeZoneUnknown } from "../access/AccessErrors.ts"
import {
  ExecutionFinished,
  ExecutionNotFound,
  FormulaInvalid,
  HeatmapNotFound,
  QueryChanged,
  QueryInvalid,
  QueryLimitExceeded,
  QueryNotFound,
  QueryTimeout,
  ReferenceInvalid,
  SavedQueryLimitReached,
  TimeRangeInvalid,
  TooManyQueries
} from "./AnalyticsErrors.ts"
import { SessionOrServer } from "../access/Auth.ts"
import {
  ExecuteQuery,
  ExecutionReference,
  ExecutionRequested,
  ExecutionState,
  QueryResult,
  RequestExecution
} from "./Executions.ts"
import { FunnelQuery } from "./Funnels.ts"
import { HeatmapQuery } from "./HeatmapQueries.ts"
import { InsightQuery, revenuePerPayer } from "./Insights.ts"
import { Creator } from "../access/KeyRecord.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { applicationId, EnvironmentHeader, Page, Paging, queryId } from "../Parameters.ts"
import { RetentionQuery } from "./Retention.ts"
import { Description, text, Title } from "../Text.ts"
import { requires } from "../access/RequiredPermission.ts"
import { example } from "../Example.ts"

const variants = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.Union(
    Schema.Struct({ ...fields, queryType: Schema.Literal("insight"), spec: InsightQuery }),
    Schema.Struct({ ...fields, queryType: Schema.Literal("funnel"), spec: FunnelQuery }),
    Schema.Struct({ ...fields, queryType: Schema.Literal("retention"), spec: RetentionQuery }),
    Schema.Struct({ ...fields, queryType: Schema.Literal("heatmap"), spec: HeatmapQuery })
  )

/** What a query asks, with its type. */
export const QueryDefinition = variants({})
export type QueryDefinition = typeof QueryDefinition.Type

/** The filter keeps the union in one piece: the members of a bare one would share one status among all endpoints that answer it. */
export const SavedQueryRecord = variants({
  id: QueryId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  listed: Schema.Boolean,
  starred: Schema.Boolean.annotations({ description: "Whether the caller has given it a star; a key has none" }),
  createdBy: Schema.NullOr(Creator),
  updatedBy: Schema.NullOr(Creator),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  lastRunAt: Schema.NullOr(Schema.DateTimeUtc).annotations({
    description: "When the query was run last by its id, to the minute, be it at once, on a board or in the background"
  })
})
  .pipe(Schema.filter(() => true, { jsonSchema: {} }))
  .annotations({ identifier: "SavedQuery" })
export type SavedQueryRecord = typeof SavedQueryRecord.Type

export const SavedQueryPage = Page(SavedQueryRecord).annotations({ identifier: "SavedQueryPage" })
export type SavedQueryPage = typeof SavedQueryPage.Type

const definition = {
  name: Title,
  description: optional(Schema.NullOr(Description)),
  listed: withDefault(
    Schema.Boolean.annotations({
      description: "False keeps the query out of lists: it is opened by its id, as a long address of the dashboard is"
    }),
    true
  )
}

export const SavedQueryDefinition = variants(definition)
  .annotations({ identifier: "SavedQueryDefinition" })
  .pipe(example({ name: "Revenue per payer", queryType: "insight", spec: revenuePerPayer }))
export type SavedQueryDefinition = typeof SavedQueryDefinition.Type

export const SavedQueryChange = variants({ ...definition, basedOn })
  .annotations({ identifier: "SavedQueryChange" })
  .pipe(example({ name: "Revenue per payer", queryType: "insight", spec: revenuePerPayer }))
export type SavedQueryChange = typeof SavedQueryChange.Type

/** What a list of saved queries is narrowed to. */
export const SavedQuerySelection = Schema.Struct({
  ...Paging.fields,
  search: optional(
    text(0, 256).annotations({
      description: "Part of the name or the description, in any case; at most 256 characters"
    })
  ),
  type: optional(oneOf("insight", "funnel", "retention", "heatmap")),
  createdBy: optional(UserId),
  starred: optional(
    oneOf("true", "false").annotations({ description: "Queries with the caller's star, or those without" })
  )
})
export type SavedQuerySelection = typeof SavedQuerySelection.Type

export class SavedQueriesGroup extends HttpApiGroup.make("savedQueries")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/analytics/v1/queries`
      .setUrlParams(SavedQuerySelection)
      .addSuccess(SavedQueryPage)
      .annotateContext(requires("analytics:read", "project"))
      .annotate(OpenApi.Summary, "Saved queries of the project, by words, type, author and star")
  )
  .add(
    HttpApiEndpoint.post("create")`/application/${applicationId}/analytics/v1/queries`
      .setPayload(SavedQueryDefinition)
      .addSuccess(SavedQueryRecord, { status: 201 })
      .addError(SavedQueryLimitReached)
      .addError(FormulaInvalid)
      .addError(QueryInvalid)
      .addError(QueryLimitExceeded)
      .addError(ReferenceInvalid)
      .addError(TimeRangeInvalid)
      .addError(TimeZoneUnknown)
      .annotateContext(requires("queries:write", "project"))
      .annotate(OpenApi.Summary, "Save a query")
  )
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}/analytics/v1/queries/${queryId}`
      .addSuccess(SavedQueryRecord)
      .addError(QueryNotFound)
      .annotateContext(requires("analytics:read", "project"))
      .annotate(OpenApi.Summary, "A saved query")
  )
  .add(
    HttpApiEndpoint.put("update")`/application/${applicationId}/analytics/v1/queries/${queryId}`
      .setPayload(SavedQueryChange)
      .addSuccess(SavedQueryRecord)
      .addError(QueryNotFound)
      .addError(QueryChanged)
      .addError(SavedQueryLimitReached)
      .addError(FormulaInvalid)
      .addError(QueryInvalid)
      .addError(QueryLimitExceeded)
      .addError(ReferenceInvalid)
      .addError(TimeRangeInvalid)
      .addError(TimeZoneUnknown)
      .annotateContext(requires("queries:write", "environments"))
      .annotate(OpenApi.Summary, "Replace a saved query")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/analytics/v1/queries/${queryId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(QueryNotFound)
      .annotateContext(requires("queries:write", "environments"))
      .annotate(OpenApi.Summary, "Delete a saved query")
  )
  .add(
    HttpApiEndpoint.post("execute")`/application/${applicationId}/analytics/v1/queries/${queryId}/execute`
      .setHeaders(EnvironmentHeader)
      .setPayload(ExecuteQuery)
      .addSuccess(QueryResult)
      .addError(EnvironmentNotFound)
      .addError(QueryNotFound)
      .addError(HeatmapNotFound)
      .addError(FormulaInvalid)
      .addError(QueryInvalid)
      .addError(ReferenceInvalid)
      .addError(TimeRangeInvalid)
      .addError(TimeZoneUnknown)
      .addError(QueryLimitExceeded)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "Run a saved query now")
  )
  .add(
    HttpApiEndpoint.post("request")`/application/${applicationId}/analytics/v1/queries/${queryId}/executions`
      .setHeaders(EnvironmentHeader)
      .setPayload(RequestExecution)
      .addSuccess(ExecutionRequested, { status: 202 })
      .addError(EnvironmentNotFound)
      .addError(QueryNotFound)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(
        OpenApi.Summary,
        "Run a saved query in the background; the same idempotency key gives the same execution"
      )
  )
  .add(
    HttpApiEndpoint.post("state")`/application/${applicationId}/analytics/v1/queries/${queryId}/executions/state`
      .setHeaders(EnvironmentHeader)
      .setPayload(ExecutionReference)
      .addSuccess(ExecutionState)
      .addError(EnvironmentNotFound)
      .addError(QueryNotFound)
      .addError(ExecutionNotFound)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "How far a background execution is, and its result")
  )
  .add(
    HttpApiEndpoint.post("cancel")`/application/${applicationId}/analytics/v1/queries/${queryId}/executions/cancel`
      .setHeaders(EnvironmentHeader)
      .setPayload(ExecutionReference)
      .addSuccess(ExecutionState)
      .addError(EnvironmentNotFound)
      .addError(QueryNotFound)
      .addError(ExecutionNotFound)
      .addError(ExecutionFinished)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "Cancel a background execution")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .middleware(SessionOrServer)
  .annotate(OpenApi.Title, "Saved queries")
  .annotate(OpenApi.Description, "Queries kept by name, run at once or in the background.") {}
