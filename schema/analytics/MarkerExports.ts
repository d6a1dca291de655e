import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { QueryInvalid, ReferenceInvalid, TimeRangeInvalid } from "./AnalyticsErrors.ts"
import { Filter } from "./Filters.ts"
import { Instant } from "../Instant.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { applicationId, EnvironmentHeader, numeric } from "../Parameters.ts"
import { text } from "../Text.ts"
import { requires } from "../access/RequiredPermission.ts"

/** How a table is written: JSON objects one a line, comma-separated values, or Apache Parquet. */
export const TableFormat = oneOf("ndjson", "csv", "parquet").annotations({ identifier: "TableFormat" })
export type TableFormat = typeof TableFormat.Type

const filtersText = Schema.parseJson(Schema.Array(Filter).pipe(Schema.maxItems(100))).annotations({
  jsonSchema: { type: "string", maxLength: 8192, contentMediaType: "application/json" }
})

const span = {
  from: optional(Instant),
  to: optional(Instant),
  types: withDefault(Schema.Array(text(1, 256)).pipe(Schema.maxItems(100)), [])
}

export const MarkerExportQuery = Schema.Struct({
  ...span,
  unitId: optional(text(1, 256)),
  filters: optional(filtersText),
  match: withDefault(oneOf("all", "any"), "all"),
  asOf: optional(numeric(Schema.Int.pipe(Schema.between(0, Number.MAX_SAFE_INTEGER)))),
  format: optional(TableFormat)
})
export type MarkerExportQuery = typeof MarkerExportQuery.Type

export const MarkerExportDaysQuery = Schema.Struct(span)
export type MarkerExportDaysQuery = typeof MarkerExportDaysQuery.Type

export const MarkerExportDays = Schema.Struct({
  asOf: Schema.Int.annotations({ description: "What `export` takes, so that all files are of one instant" }),
  days: Schema.Array(
    Schema.Struct({
      day: Schema.String,
      from: Schema.DateTimeUtc,
      to: Schema.DateTimeUtc,
      markers: Schema.Int,
      cut: Schema.optional(Schema.Boolean).annotations({
        description: "Whether retention has reached into the day, so that a file that was written before may hold more"
      })
    })
  )
}).annotations({
  identifier: "MarkerExportDays",
  description: "The days of UTC that have markers, the first one first; `to` is where the next day begins"
})
export type MarkerExportDays = typeof MarkerExportDays.Type

/** What the file may be beside what the contract can say of a response. */
const otherFormats = {
  "text/csv": { schema: { type: "string" } },
  "application/vnd.apache.parquet": { schema: { type: "string", format: "binary" } }
}

export const exportMarkers = HttpApiEndpoint.get("export")`/application/${applicationId}/analytics/v1/markers/export`
  .setHeaders(EnvironmentHeader)
  .setUrlParams(MarkerExportQuery)
  .addSuccess(HttpApiSchema.Text({ contentType: "application/x-ndjson" }))
  .addError(TimeRangeInvalid)
  .addError(QueryInvalid)
  .addError(ReferenceInvalid)
  .annotateContext(requires("markers:read", "environment"))
  .annotate(OpenApi.Summary, "Markers themselves as one file of any size, newest first, streamed")
  .annotate(OpenApi.Transform, ({ responses, ...operation }) => ({
    ...operation,
    responses: { ...responses, 200: { ...responses[200], content: { ...responses[200].content, ...otherFormats } } }
  }))
  .annotate(
    OpenApi.Description,
    "Written as `format` says, or as `Accept` does (`application/x-ndjson`, `text/csv`, `application/vnd.apache.parquet`). What is received while it is written is left out; `asOf` of an earlier answer leaves out what came after that. `gamekeeper-as-of` tells the instant. A file that cannot be written to its end is cut off with its connection."
  )

export const exportMarkerDays = HttpApiEndpoint.get(
  "exportDays"
)`/application/${applicationId}/analytics/v1/markers/export/days`
  .setHeaders(EnvironmentHeader)
  .setUrlParams(MarkerExportDaysQuery)
  .addSuccess(MarkerExportDays)
  .addError(TimeRangeInvalid)
  .annotateContext(requires("markers:read", "environment"))
  .annotate(OpenApi.Summary, "The days that have markers, for an export day by day that can be resumed")
