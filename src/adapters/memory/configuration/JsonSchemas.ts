import { Effect, Layer } from "effect"
import { JsonSchemas } from "../../../ports/configuration/JsonSchemas.ts"
import { check, compile } from "../../node/SchemaCheck.ts"

/** Checks in the caller's own thread, however long it takes: for tests and for commands that serve nobody. */
export const JsonSchemasMemory = Layer.succeed(JsonSchemas, {
  violations: (schema, value) => Effect.flatMap(compile(schema), (validate) => check(validate, value))
})
