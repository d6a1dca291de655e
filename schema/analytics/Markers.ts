import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CursorInvalid, Overloaded } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import {
  DescriptionLimitReached,
  QueryInvalid,
  QueryTimeout,
  ReferenceInvalid,
  TimeRangeInvalid,
  TooManyQueries
} from "./AnalyticsErrors.ts"
import { exportMarkerDays, exportMarkers } from "./MarkerExports.ts"
import { SessionOrServer } from "../access/Auth.ts"
import { filtering, MarkerName, Scalar } from "./Filters.ts"
import { Instant } from "../Instant.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { applicationId, EnvironmentHeader, numericOr, Page } from "../Parameters.ts"
import type { Values } from "../../src/domain/analytics/markers/Event.ts"
import { Description, text, Title } from "../Text.ts"
import { isObject } from "../Words.ts"
import { requires } from "../access/RequiredPermission.ts"
import { example } from "../Example.ts"

export const MarkerType = Schema.Struct({
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  displayName: Schema.NullOr(Schema.String),
  status: oneOf("active", "pending", "hidden"),
  isBuiltin: Schema.Boolean,
  firstSeenAt: Schema.NullOr(Schema.DateTimeUtc),
  lastSeenAt: Schema.NullOr(Schema.DateTimeUtc),
  count30d: Schema.Int,
  perDay30: Schema.Array(Schema.Int).annotations({
    description:
      "Markers of each of the last 30 days of the project's zone that are still kept, the last of them today; empty where damage keeps some from being counted"
  }),
  arguments: Schema.Int
}).annotations({ identifier: "MarkerType" })
export type MarkerType = typeof MarkerType.Type

/** An argument or property as it was seen. */
export const MarkerField = Schema.Struct({
  name: Schema.String,
  dataType: oneOf("string", "number", "boolean", "array"),
  markerTypes: Schema.Array(Schema.String),
  description: Schema.NullOr(Schema.String),
  unit: Schema.NullOr(Schema.String),
  decimals: Schema.NullOr(Schema.Int),
  lastSeenAt: Schema.NullOr(Schema.DateTimeUtc)
}).annotations({ identifier: "MarkerField" })
export type MarkerField = typeof MarkerField.Type

export const MarkerValue = Schema.Struct({ value: Scalar, count: Schema.Int }).annotations({
  identifier: "MarkerValue"
})
export type MarkerValue = typeof MarkerValue.Type

export const TypeMetadata = Schema.Struct({
  name: MarkerName,
  displayName: optional(Schema.NullOr(Title)),
  description: optional(Schema.NullOr(Description)),
  hidden: optional(Schema.Boolean)
}).annotations({ identifier: "MarkerTypeMetadata" })
export type TypeMetadata = typeof TypeMetadata.Type

export const ArgumentMetadata = Schema.Struct({
  type: MarkerName,
  name: text(1, 256),
  description: optional(Schema.NullOr(Description)),
  unit: optional(Schema.NullOr(text(1, 32))),
  decimals: optional(Schema.NullOr(Schema.Int.pipe(Schema.between(0, 20))))
}).annotations({ identifier: "MarkerArgumentMetadata" })
export type ArgumentMetadata = typeof ArgumentMetadata.Type

export const MetadataChange = Schema.Struct({
  types: withDefault(Schema.Array(TypeMetadata).pipe(Schema.maxItems(1000)), []),
  arguments: withDefault(Schema.Array(ArgumentMetadata).pipe(Schema.maxItems(1000)), [])
})
  .annotations({ identifier: "MarkerMetadataChange" })
  .pipe(
    example({
      types: [{ name: "ItemBought", displayName: "Item bought", description: "A purchase in the shop" }],
      arguments: [{ type: "ItemBought", name: "price", unit: "gems", decimals: 0 }]
    })
  )
export type MetadataChange = typeof MetadataChange.Type

/** The records that a change touched, after it. */
export const MetadataChanged = Schema.Struct({
  types: Schema.Array(MarkerType),
  arguments: Schema.Array(MarkerField)
}).annotations({ identifier: "MarkerMetadataChanged" })
export type MetadataChanged = typeof MetadataChanged.Type

export const RawMarkersQuery = Schema.Struct({
  types: optional(Schema.NonEmptyArray(MarkerName).pipe(Schema.maxItems(100))),
  unitId: optional(text(1, 256)),
  from: Instant,
  to: Instant,
  ...filtering,
  limit: withDefault(Schema.Int.pipe(Schema.between(1, 1000)), 100),
  cursor: optional(Schema.NullOr(text(0, 512)))
})
  .annotations({ identifier: "RawMarkersQuery" })
  .pipe(
    example({
      types: ["ItemBought"],
      from: "2026-11-20T00:00:00Z",
      to: "2026-11-21T00:00:00Z",
      filters: [{ source: "argument", name: "price", operator: "greaterThan", value: 100 }],
      limit: 50
    })
  )
export type RawMarkersQuery = typeof RawMarkersQuery.Type

const isValue = Schema.is(Schema.Union(Scalar, Schema.Array(Scalar)))

const isValues = (values: unknown): values is Values =>
  isObject(values) && Object.values(values).every((each) => isValue(each))

const scalar = { type: ["string", "number", "boolean"] }

/** Values by names that games choose. They are answered as they are: a record of schemas would lose one that is called `__proto__`. */
const values = Schema.declare(isValues, {
  jsonSchema: { type: "object", additionalProperties: { anyOf: [scalar, { type: "array", items: scalar }] } },
  arbitrary: () => (fc) => fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.boolean())))
})

export const RawMarker = Schema.Struct({
  sequence: Schema.Int,
  markerId: Schema.NullOr(Schema.String),
  type: Schema.String,
  unitId: Schema.NullOr(Schema.String),
  sessionId: Schema.NullOr(Schema.String),
  timestamp: Schema.DateTimeUtc,
  receivedAt: Schema.DateTimeUtc,
  clamped: Schema.Boolean.annotations({
    description: "Whether the timestamp lay over ten minutes in the future and was replaced by the time of receipt"
  }),
  arguments: values,
  properties: values,
  position: Schema.NullOr(Schema.Tuple(Schema.Number, Schema.Number, Schema.Number))
}).annotations({ identifier: "RawMarker" })
export type RawMarker = typeof RawMarker.Type

export const RawMarkerPage = Page(RawMarker).annotations({ identifier: "RawMarkerPage" })
export type RawMarkerPage = typeof RawMarkerPage.Type

const OfType = Schema.Struct({ type: optional(MarkerName) })

export const ValuesOf = Schema.Struct({
  name: text(1, 256),
  type: optional(MarkerName),
  search: optional(text(1, 256)),
  limit: numericOr(Schema.Int.pipe(Schema.between(1, 1000)), 100)
})
export type ValuesOf = typeof ValuesOf.Type

export class MarkersGroup extends HttpApiGroup.make("markers")
  .add(
    HttpApiEndpoint.get("arguments")`/application/${applicationId}/analytics/v1/markers/arguments`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(OfType)
      .addSuccess(Schema.Array(MarkerField))
      .annotateContext(requires("markers:read", "environment"))
      .annotate(OpenApi.Summary, "Known arguments, of one marker type or of all")
  )
  .add(
    HttpApiEndpoint.get("argumentValues")`/application/${applicationId}/analytics/v1/markers/arguments/values`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(ValuesOf)
      .addSuccess(Schema.Array(MarkerValue))
      .annotateContext(requires("markers:read", "environment"))
      .annotate(OpenApi.Summary, "Values of an argument, most frequent first")
  )
  .add(
    HttpApiEndpoint.put("setMetadata")`/application/${applicationId}/analytics/v1/markers/metadata`
      .setHeaders(EnvironmentHeader)
      .setPayload(MetadataChange)
      .addSuccess(MetadataChanged)
      .addError(DescriptionLimitReached)
      .annotateContext(requires("markers:write", "environment"))
      .annotate(OpenApi.Summary, "Describe marker types and arguments, also ones that were never seen")
  )
  .add(exportMarkers)
  .add(exportMarkerDays)
  .add(
    HttpApiEndpoint.get("properties")`/application/${applicationId}/analytics/v1/markers/properties`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(OfType)
      .addSuccess(Schema.Array(MarkerField))
      .annotateContext(requires("markers:read", "environment"))
      .annotate(OpenApi.Summary, "Known properties, of one marker type or of all")
  )
  .add(
    HttpApiEndpoint.get("propertyValues")`/application/${applicationId}/analytics/v1/markers/properties/values`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(ValuesOf)
      .addSuccess(Schema.Array(MarkerValue))
      .annotateContext(requires("markers:read", "environment"))
      .annotate(OpenApi.Summary, "Values of a property, most frequent first")
  )
  .add(
    HttpApiEndpoint.post("raw")`/application/${applicationId}/analytics/v1/markers/raw`
      .setHeaders(EnvironmentHeader)
      .setPayload(RawMarkersQuery)
      .addSuccess(RawMarkerPage)
      .addError(CursorInvalid)
      .addError(TimeRangeInvalid)
      .addError(QueryInvalid)
      .addError(ReferenceInvalid)
      .annotateContext(requires("markers:read", "environment"))
      .annotate(OpenApi.Summary, "Markers themselves, newest first; pages are stable while markers come in")
  )
  .add(
    HttpApiEndpoint.get("types")`/application/${applicationId}/analytics/v1/markers/types`
      .setHeaders(EnvironmentHeader)
      .addSuccess(Schema.Array(MarkerType))
      .annotateContext(requires("markers:read", "environment"))
      .annotate(OpenApi.Summary, "Known marker types")
  )
  .add(
    HttpApiEndpoint.get("pendingTypes")`/application/${applicationId}/analytics/v1/markers/types/pending`
      .setHeaders(EnvironmentHeader)
      .addSuccess(Schema.Array(MarkerType))
      .annotateContext(requires("markers:read", "environment"))
      .annotate(OpenApi.Summary, "Marker types that were described and await their first marker")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .addError(QueryTimeout)
  .addError(Overloaded)
  .addError(TooManyQueries)
  .middleware(SessionOrServer)
  .annotate(OpenApi.Title, "Markers")
  .annotate(OpenApi.Description, "Marker types, their arguments and properties, and the markers themselves.") {}
