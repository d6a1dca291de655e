import { Schema } from "effect"
import { ExecutionId } from "../../src/domain/Ids.ts"
import { FunnelResult } from "./Funnels.ts"
import { HeatmapResult } from "./HeatmapQueries.ts"
import { InsightResult } from "./Insights.ts"
import { oneOf, optional } from "../Optional.ts"
import { anyCase } from "../Parameters.ts"
import { QueryTime } from "./QueryTime.ts"
import { RetentionResult } from "./Retention.ts"
import { text } from "../Text.ts"
import { example } from "../Example.ts"

/** The result of a saved query: of the kind of its specification. */
export const QueryResult = Schema.Union(InsightResult, FunnelResult, RetentionResult, HeatmapResult).annotations({
  identifier: "QueryResult"
})
export type QueryResult = typeof QueryResult.Type

export const ExecuteQuery = Schema.NullOr(
  Schema.Struct({ time: optional(QueryTime) }).annotations({
    identifier: "ExecuteQuery",
    description: "`time` replaces that of the saved query"
  })
).pipe(example({ time: { relative: { step: "day", value: 7 } } }))
export type ExecuteQuery = typeof ExecuteQuery.Type

export const RequestExecution = Schema.NullOr(
  Schema.Struct({ idempotencyKey: optional(text(1, 128)) }).annotations({ identifier: "RequestExecution" })
).pipe(example({ idempotencyKey: "weekly-report-2026-47" }))
export type RequestExecution = typeof RequestExecution.Type

export const ExecutionStateName = oneOf("queued", "running", "succeeded", "failed", "canceled").annotations({
  identifier: "ExecutionStateName"
})
export type ExecutionStateName = typeof ExecutionStateName.Type

export const ExecutionRequested = Schema.Struct({ executionId: ExecutionId, state: ExecutionStateName }).annotations({
  identifier: "ExecutionRequested"
})
export type ExecutionRequested = typeof ExecutionRequested.Type

export const ExecutionReference = Schema.Struct({ executionId: anyCase(ExecutionId) })
  .annotations({
    identifier: "ExecutionReference"
  })
  .pipe(example({ executionId: "c2a9d6de-52f0-4b0f-8a55-1f0c7f3b9e21" }))
export type ExecutionReference = typeof ExecutionReference.Type

export const ExecutionState = Schema.Struct({
  executionId: ExecutionId,
  state: ExecutionStateName,
  progress: Schema.Struct({ rowsScanned: Schema.Int, rowsTotal: Schema.Int }),
  result: optional(QueryResult),
  error: optional(Schema.Struct({ code: Schema.String, message: Schema.String })),
  requestedAt: Schema.DateTimeUtc,
  startedAt: Schema.NullOr(Schema.DateTimeUtc),
  finishedAt: Schema.NullOr(Schema.DateTimeUtc)
}).annotations({ identifier: "ExecutionState" })
export type ExecutionState = typeof ExecutionState.Type
