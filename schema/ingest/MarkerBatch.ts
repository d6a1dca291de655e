import { Schema } from "effect"
import { automaticNames } from "../../src/domain/ingest/Marker.ts"
import { MarkerName } from "../analytics/Filters.ts"
import { optional } from "../Optional.ts"

const timestamp = Schema.Union(Schema.String, Schema.Number).annotations({
  description: "ISO 8601 with an offset, or epoch milliseconds; below 10^12 epoch seconds"
})
const id = Schema.Union(Schema.String, Schema.Number)
const values = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const common = {
  markerId: optional(Schema.String),
  timestamp,
  sessionId: optional(Schema.NullOr(id)),
  userId: optional(Schema.NullOr(id)),
  serverId: optional(Schema.NullOr(id))
}

const mixed = values.annotations({
  description: `What is known about the marker. These names, and names that begin with $, become its properties: ${automaticNames.join(", ")}. position, as [x, y, z] or {x, y, z}, becomes its place. All others become its arguments.`
})
const apart = values.annotations({ description: "The marker's properties, whatever their names" })

/** One marker in the dialect that names it `eventName`; automatic names and names with `$` in `properties` are properties. */
export const NamedMarker = Schema.Struct({
  ...common,
  eventName: MarkerName,
  distinctId: optional(Schema.NullOr(id)),
  properties: optional(mixed)
}).annotations({ identifier: "NamedMarker" })

/** One marker in the dialect that names it `type`: arguments in `value`, properties apart. */
export const TypedMarker = Schema.Struct({
  ...common,
  type: MarkerName,
  value: optional(
    Schema.Unknown.annotations({ description: "The marker's arguments; what is no object is the argument value" })
  ),
  properties: optional(apart)
}).annotations({ identifier: "TypedMarker" })

/** Documents the body of ingest; the server reads each marker by itself. */
export const MarkerBatch = Schema.Struct({
  markers: Schema.Array(Schema.Union(NamedMarker, TypedMarker)).pipe(Schema.minItems(1), Schema.maxItems(1000))
}).annotations({ identifier: "MarkerBatch" })

/** A batch of both dialects, as it is sent. */
export const markerBatch: typeof MarkerBatch.Encoded = {
  markers: [
    {
      eventName: "LevelCompleted",
      markerId: "0b8f3c5e-7d55-4e0c-9a51-2f6f0d6f3a01",
      timestamp: "2026-11-20T18:30:00Z",
      distinctId: "48213377",
      sessionId: "48213377-1",
      properties: { level: 12, seconds: 42, platform: "ios" }
    },
    {
      type: "ItemBought",
      markerId: "0b8f3c5e-7d55-4e0c-9a51-2f6f0d6f3a02",
      timestamp: "2026-11-20T18:31:05Z",
      userId: "48213377",
      sessionId: "48213377-1",
      value: { item: "Sword of Dawn", price: 250 },
      properties: { platform: "ios" }
    }
  ]
}
