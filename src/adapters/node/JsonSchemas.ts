import { Effect, Layer } from "effect"
import type { SchemaViolations } from "../../ports/configuration/JsonSchemas.ts"
import { JsonSchemas, SchemaUnusable } from "../../ports/configuration/JsonSchemas.ts"
import { makeOrganizationTurns } from "../local/OrganizationTurns.ts"
import type { SchemaQuestion, SchemaReply } from "./SchemaThread.ts"
import type { ThreadFailed } from "./ThreadPool.ts"
import { makeThreadPool } from "./ThreadPool.ts"

export interface JsonSchemaOptions {
  /** The built file of the worker that checks. */
  readonly script: string
  /** Milliseconds that the check of one value may take while others wait for the same threads. */
  readonly millis: number
  /** Milliseconds that a check may take which did not end within `millis`, beside others of its kind: a pattern may take for ever. */
  readonly patientMillis: number
}

const threads = 2
const memoryMb = 256
/** Milliseconds without a check after which a thread ends: people change configurations for some minutes, and then nobody does for days. */
const restMillis = 60_000

const refused = ({ reason, message }: ThreadFailed) =>
  new SchemaUnusable({ message: reason === "TimedOut" ? "it takes too long" : `it cannot be checked: ${message}` })

const outcomeOf = (reply: SchemaReply): Effect.Effect<SchemaViolations, SchemaUnusable> =>
  reply.type === "checked"
    ? Effect.succeed(reply.violations)
    : Effect.fail(new SchemaUnusable({ message: reply.type === "unusable" ? reply.message : "it was not checked" }))

/**
 * Checks in threads, which are ended where a check takes too long, so that nobody else waits for it. A sound check may take longer on a
 * busy machine: what was ended once is checked again by a thread in which only such checks wait for one another. Organizations take turns: with
 * all threads taken by schemas of one studio that never end, every other studio would wait for each of them.
 */
export const JsonSchemasNode = ({ script, millis, patientMillis }: JsonSchemaOptions) =>
  Layer.scoped(
    JsonSchemas,
    Effect.gen(function* () {
      const quick = yield* makeThreadPool({ script, threads, memoryMb, restMillis, workerData: null })
      const patient = yield* makeThreadPool({ script, threads: 1, memoryMb, restMillis, workerData: null })
      const inTurn = makeOrganizationTurns()
      return {
        violations: (schema, value) => {
          const question: SchemaQuestion = { schema: JSON.stringify(schema), value: JSON.stringify(value) }
          const reply = quick.ask<SchemaReply>(question, millis).pipe(
            Effect.catchIf(
              ({ reason }) => reason === "TimedOut",
              () => patient.ask<SchemaReply>(question, patientMillis)
            )
          )
          return inTurn(reply).pipe(
            // The server lacks memory, threads or its own files: nobody could write the schema in another way.
            Effect.catchIf(({ reason }) => reason === "Unstarted", Effect.die),
            Effect.mapError(refused),
            Effect.flatMap(outcomeOf)
          )
        }
      }
    })
  )
