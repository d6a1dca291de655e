import type { SchemaViolations } from "../../ports/configuration/JsonSchemas.ts"

/** What a thread that checks schemas is asked: schema and value as JSON, which is copied faster than objects are. */
export interface SchemaQuestion {
  readonly schema: string
  readonly value: string
}

export type SchemaReply =
  | { readonly type: "ready" }
  | { readonly type: "checked"; readonly violations: SchemaViolations }
  | { readonly type: "unusable"; readonly message: string }
