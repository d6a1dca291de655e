import { Context, Effect, Layer } from "effect"
import { JsonSchemasNode } from "../adapters/node/JsonSchemas.ts"
import type { Document, Json } from "../domain/configuration/Document.ts"
import { JsonSchemas } from "../ports/configuration/JsonSchemas.ts"
import { schemaWorker } from "./Workers.ts"

/** A command checks for one studio. */
const onlyOwner = 0

/** Milliseconds that a command waits for one check: longer than the server, whose answer decides. */
const limits = { millis: 1000, patientMillis: 5000 }

/** What checks values by JSON Schemas as the server does, in threads that are started when they are first needed. */
export const schemaChecking = Effect.map(
  Layer.build(JsonSchemasNode({ script: schemaWorker, ...limits })),
  (context) => {
    const { violations } = Context.get(context, JsonSchemas)
    return { violations: (schema: Document, value: Json) => violations(schema, value, onlyOwner) }
  }
)
