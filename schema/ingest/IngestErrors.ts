import { Schema } from "effect"
import { envelope } from "../Failure.ts"

/** What became of the markers of a batch; the four counts are disjoint and add up to what was sent. */
export const ingestCounts = {
  ingestedMarkersCount: Schema.Int,
  rejectedMarkersCount: Schema.Int,
  duplicateMarkersCount: Schema.Int,
  staleMarkersCount: Schema.Int,
  rejectedMarkers: Schema.Array(
    Schema.Struct({
      index: Schema.Int,
      markerId: Schema.NullOr(Schema.String),
      code: Schema.String,
      reason: Schema.String
    })
  )
}

const [fields, status] = envelope(
  400,
  "INVALID_MARKERS",
  "Every marker of the batch was rejected; the body carries the counts beside the envelope."
)

/** Every marker of the batch was rejected; the body carries the counts beside the envelope. */
export class InvalidMarkers extends Schema.Class<InvalidMarkers>("InvalidMarkers")(
  { ...fields, ...ingestCounts },
  status
) {
  readonly _tag = "InvalidMarkers"
}
