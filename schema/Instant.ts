import { Schema } from "effect"

const IsoText = Schema.String.pipe(
  Schema.pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i, {
    message: () => "expected an ISO 8601 instant with an offset, such as 2025-03-01T00:00:00Z",
    jsonSchema: { type: "string", format: "date-time" }
  })
)

/** An instant in a request: ISO 8601 with an offset. */
export const Instant = Schema.compose(IsoText, Schema.DateTimeUtc)
