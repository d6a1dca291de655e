import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { CohortId, ExecutionId, QueryId } from "../../src/domain/Ids.ts"
import { liveKinds } from "../../src/domain/live/LiveKind.ts"
import { ExecutionStateName } from "../analytics/Executions.ts"
import { RawMarker } from "../analytics/Markers.ts"
import { oneOf, optional } from "../Optional.ts"

const leftOut = Schema.Int.annotations({ description: "How many more there were in that second, which are not shown" })

/** The first event, and again whenever permissions have changed. */
export const LiveOpen = Schema.Struct({
  kinds: Schema.Array(Schema.Literal(...liveKinds)).annotations({ description: "The events that the caller hears" })
}).annotations({ identifier: "LiveOpen" })
export type LiveOpen = typeof LiveOpen.Type

/** A marker as it is stored; it has no sequence yet. */
export const LiveMarker = RawMarker.omit("sequence").annotations({ identifier: "LiveMarker" })
export type LiveMarker = typeof LiveMarker.Type

/** Markers that were stored since the event before; none is sent for a second without any. */
export const LiveMarkers = Schema.Struct({
  at: Schema.DateTimeUtc,
  total: Schema.Int,
  counts: Schema.Array(Schema.Struct({ type: Schema.String, count: Schema.Int })).annotations({
    description: "The most frequent types first, at most 100"
  }),
  others: Schema.Int.annotations({ description: "Markers of types that are not named" }),
  items: optional(Schema.Array(LiveMarker)).annotations({
    description: "With markers=1 the first 50 of that second that the stream asks for, in 48 KiB"
  }),
  leftOut: optional(leftOut)
}).annotations({ identifier: "LiveMarkers" })
export type LiveMarkers = typeof LiveMarkers.Type

/** Markers that were refused since the event before, the first 20 that the stream asks for. */
export const LiveRejected = Schema.Struct({
  at: Schema.DateTimeUtc,
  items: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      reason: Schema.String,
      markerId: Schema.NullOr(Schema.String),
      type: Schema.NullOr(Schema.String),
      unitId: Schema.NullOr(Schema.String)
    })
  ),
  leftOut
}).annotations({ identifier: "LiveRejected" })
export type LiveRejected = typeof LiveRejected.Type

/** Configurations or experiments that have changed. */
export const LiveChange = Schema.Struct({
  ids: Schema.Array(Schema.Int)
}).annotations({ identifier: "LiveChange" })
export type LiveChange = typeof LiveChange.Type

/** The state that a cohort has reached. */
export const LiveCohort = Schema.Struct({
  id: CohortId,
  status: oneOf("ready", "computing", "failed", "removed"),
  memberCount: Schema.Int,
  isRunning: Schema.Boolean.annotations({ description: "Whether its members are being computed at this moment" })
}).annotations({ identifier: "LiveCohort" })
export type LiveCohort = typeof LiveCohort.Type

/** The state that an execution has reached. */
export const LiveExecution = Schema.Struct({
  queryId: QueryId,
  executionId: ExecutionId,
  state: ExecutionStateName,
  progress: Schema.Struct({ rowsScanned: Schema.Int, rowsTotal: Schema.Int })
}).annotations({ identifier: "LiveExecution" })
export type LiveExecution = typeof LiveExecution.Type

/** What the data of each event is. */
export const liveEvents = {
  open: LiveOpen,
  markers: LiveMarkers,
  rejected: LiveRejected,
  configuration: LiveChange,
  experiments: LiveChange,
  cohort: LiveCohort,
  execution: LiveExecution
}

const shapes = ["LiveOpen", "LiveMarkers", "LiveRejected", "LiveChange", "LiveCohort", "LiveExecution"]

/** The stream as text, and what the data of its events are as JSON. */
export const LiveEventStream = HttpApiSchema.withEncoding(
  Schema.String.annotations({
    jsonSchema: {
      type: "string",
      contentMediaType: "text/event-stream",
      contentSchema: { anyOf: shapes.map((name) => ({ $ref: `#/components/schemas/${name}` })) }
    }
  }),
  { kind: "Text", contentType: "text/event-stream" }
)
