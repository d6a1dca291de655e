import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { Document, Json, Path } from "../../domain/configuration/Document.ts"

/** The schema itself is unusable, or validating takes too long. */
export class SchemaUnusable extends Data.TaggedError("SchemaUnusable")<{ readonly message: string }> {}

export interface SchemaViolation {
  /** Keys and indexes from the root of the value to the offending place. */
  readonly path: Path
  readonly message: string
}

/**
 * Validates by JSON Schema 2020-12, or draft-07 where `$schema` names it. Remote references are not fetched, and
 * `format` is only an annotation.
 */
export class JsonSchemas extends Context.Tag("ports/configuration/JsonSchemas")<
  JsonSchemas,
  {
    /** Every violation of the schema. Fails for a schema with unknown keywords. */
    readonly violations: (
      schema: Document,
      value: Json
    ) => Effect.Effect<ReadonlyArray<SchemaViolation>, SchemaUnusable>
  }
>() {}
