import { Effect, Layer } from "effect"
import type { SchemaViolations } from "../../ports/configuration/JsonSchemas.ts"
import { JsonSchemas, SchemaUnusable } from "../../ports/configuration/JsonSchemas.ts"
import type { SchemaQuestion, SchemaReply } from "./SchemaThread.ts"
import type { ThreadFailed } from "./ThreadPool.ts"
import { makeThreadPool } from "./ThreadPool.ts"

export interface JsonSchemaOptions {
  /** The built file of the worker that checks. */
  readonly script: string
  /** Milliseconds that the check of one value may take: a pattern may take for ever. */
  readonly millis: number
}

const threads = 2
const memoryMb = 256

const refused = ({ reason, message }: ThreadFailed) =>
  new SchemaUnusable({ message: reason === "TimedOut" ? "it takes too long" : `it cannot be checked: ${message}` })

const outcomeOf = (reply: SchemaReply): Effect.Effect<SchemaViolations, SchemaUnusable> =>
  reply.type === "checked"
    ? Effect.succeed(reply.violations)
    : Effect.fail(new SchemaUnusable({ message: reply.type === "unusable" ? reply.message : "it was not checked" }))

/** Checks in threads, which are ended where a check takes too long, so that nobody else waits for it. */
export const JsonSchemasNode = ({ script, millis }: JsonSchemaOptions) =>
  Layer.scoped(
    JsonSchemas,
    Effect.map(makeThreadPool({ script, threads, memoryMb, workerData: null }), (pool) => ({
      violations: Effect.fn("JsonSchemas.violations")((schema, value) => {
        const question: SchemaQuestion = { schema: JSON.stringify(schema), value: JSON.stringify(value) }
        return Effect.flatMap(Effect.mapError(pool.ask<SchemaReply>(question, millis), refused), outcomeOf)
      })
    }))
  )
