import { SqlClient } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { databaseUnusable } from "../../../domain/operations/StoreProblem.ts"
import { Health } from "../../../ports/operations/Health.ts"
import { Peers } from "../../../ports/operations/Peers.ts"

const Rows = Schema.Array(Schema.Struct({ standby: Schema.Boolean }))

/** How long the database may take: whoever asks for the state of the server gives up soon, a balancer for example. */
const answersWithin = "2 seconds"

/** Asks the database; each process also writes its lease every second, so that no write needs to be tried here. */
export const HealthPostgres = Layer.effect(
  Health,
  Effect.map(Effect.all([SqlClient.SqlClient, Peers]), ([sql, peers]) => ({
    metadata: sql`select pg_is_in_recovery() as standby`.pipe(
      Effect.flatMap(Schema.decodeUnknown(Rows)),
      Effect.map(([row]) => {
        if (row?.standby === true) return [databaseUnusable("it is a standby, which takes no writes")]
        return peers.isFresh() ? [] : [databaseUnusable("it has not taken a write for three seconds")]
      }),
      // A statement that has begun cannot be taken back, but need not be waited for.
      Effect.disconnect,
      Effect.timeout(answersWithin),
      Effect.catchAllCause((cause) =>
        Effect.logDebug(cause).pipe(Effect.as([databaseUnusable("it cannot be reached")]))
      )
    ),
    freeBytes: Effect.succeed(null),
    fileSizes: Effect.succeed([])
  }))
)
