import { Context, type Effect } from "effect"
import type { Document, Json, Path } from "../domain/configuration/Document.ts"

/** Checks values by JSON Schemas as the server does. Fails for a schema that is unusable itself. */
export class SchemaChecks extends Context.Tag("remote/SchemaChecks")<
  SchemaChecks,
  {
    readonly violations: (
      schema: Document,
      value: Json
    ) => Effect.Effect<
      {
        readonly total: number
        /** The first of them. */
        readonly first: ReadonlyArray<{ readonly path: Path; readonly message: string }>
      },
      { readonly message: string }
    >
  }
>() {}
