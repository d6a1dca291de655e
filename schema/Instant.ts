import { DateTime, Option, ParseResult, Schema } from "effect"
import { instantOf } from "../src/domain/ingest/Timestamp.ts"

const written = "expected an ISO 8601 instant with an offset, such as 2025-03-01T00:00:00Z"

const IsoText = Schema.String.annotations({
  jsonSchema: { type: "string", format: "date-time" },
  message: () => ({ message: written, override: true })
})

const Known = Schema.DateTimeUtcFromSelf.annotations({
  arbitrary: () => (fc) =>
    fc.integer({ min: 946_684_800_000, max: 4_102_444_800_000 }).map((millis) => DateTime.unsafeMake(millis))
})

/** An instant in a request: ISO 8601 with an offset. */
export const Instant = Schema.transformOrFail(IsoText, Known, {
  strict: true,
  decode: (text, _, ast) =>
    Option.match(Option.flatMap(Option.fromNullable(instantOf(text)), DateTime.make), {
      onNone: () => ParseResult.fail(new ParseResult.Type(ast, text, written)),
      onSome: ParseResult.succeed
    }),
  encode: (instant) => ParseResult.succeed(DateTime.formatIso(instant))
})
