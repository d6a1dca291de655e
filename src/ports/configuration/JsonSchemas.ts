import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { Document, Json, Path } from "../../domain/configuration/Document.ts"

/** The schema itself cannot be used, or checking the value by it takes too long. */
export class SchemaUnusable extends Data.TaggedError("SchemaUnusable")<{ readonly message: string }> {}

export interface SchemaViolation {
  /** Keys and indexes from the root of the value. */
  readonly path: Path
  readonly message: string
}

/** JSON Schema 2020-12, or draft-07 where `$schema` says so. Nothing is fetched; `format` says nothing about validity. */
export class JsonSchemas extends Context.Tag("ports/configuration/JsonSchemas")<
  JsonSchemas,
  {
    /** Every place where the value breaks the schema. Unknown keywords make a schema unusable. */
    readonly violations: (
      schema: Document,
      value: Json
    ) => Effect.Effect<ReadonlyArray<SchemaViolation>, SchemaUnusable>
  }
>() {}
