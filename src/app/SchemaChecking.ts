import { Context, Effect, Layer } from "effect"
import { JsonSchemasNode } from "../adapters/node/JsonSchemas.ts"
import { JsonSchemas } from "../ports/configuration/JsonSchemas.ts"
import { schemaWorker } from "./Workers.ts"

/** Milliseconds that a command waits for one check: longer than the server, whose answer decides. */
const limits = { millis: 1000, patientMillis: 5000 }

/** What checks values by JSON Schemas as the server does, in threads that are started when they are first needed. */
export const schemaChecking = Effect.map(
  Layer.build(JsonSchemasNode({ script: schemaWorker, ...limits })),
  Context.get(JsonSchemas)
)
