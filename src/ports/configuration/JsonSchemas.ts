import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { Document, Json, Path } from "../../domain/configuration/Document.ts"

/** The schema itself is unusable, or validating takes too long. */
export class SchemaUnusable extends Data.TaggedError("SchemaUnusable")<{ readonly message: string }> {}

/** One place of a value that breaks the schema. */
export interface SchemaViolation {
  /** Keys and indexes from the root of the value to the offending place. */
  readonly path: Path
  readonly message: string
}

/** The most violations that are named one by one. */
export const mostViolations = 100

/** Everything of a value that breaks the schema. */
export interface SchemaViolations {
  readonly total: number
  /** At most `mostViolations` of them. */
  readonly first: ReadonlyArray<SchemaViolation>
}

/**
 * Validates by JSON Schema 2020-12, or draft-07 where `$schema` names it. Remote references are not fetched, and
 * `format` is only an annotation.
 */
export class JsonSchemas extends Context.Tag("ports/configuration/JsonSchemas")<
  JsonSchemas,
  {
    /** What of the value breaks the schema; `total` is 0 where nothing does. Fails for a schema with unknown keywords, and if validating takes too long. */
    readonly violations: (schema: Document, value: Json) => Effect.Effect<SchemaViolations, SchemaUnusable>
  }
>() {}
