import { Schema } from "effect"
import { envelope } from "../Failure.ts"

const place = {
  index: Schema.Int.annotations({ description: "Counted from 0 in the order of the request" }),
  markerId: Schema.NullOr(Schema.String).annotations({
    description: "The id as it was sent; null where it was no text"
  })
}

const places = (description: string) => Schema.Array(Schema.Struct(place)).annotations({ description })

/**
 * What became of the markers of a batch; the four counts are disjoint and add up to what was sent. An import of more
 * than 1,000 markers names the first 1,000 in each list.
 */
export const ingestCounts = {
  ingestedMarkersCount: Schema.Int,
  rejectedMarkersCount: Schema.Int,
  duplicateMarkersCount: Schema.Int,
  staleMarkersCount: Schema.Int,
  rejectedMarkers: Schema.Array(
    Schema.Struct({
      ...place,
      code: Schema.String,
      reason: Schema.String
    })
  ),
  duplicateMarkers: places(
    "Markers whose id the environment has received before; the first one stays. At most 1,000 are named."
  ),
  staleMarkers: places("Markers older than the environment keeps them; they were dropped. At most 1,000 are named."),
  clampedMarkers: places(
    "Ingested markers whose timestamp lay over ten minutes in the future: they are stored with the time of receipt and `clamped: true`. At most 1,000 are named."
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
