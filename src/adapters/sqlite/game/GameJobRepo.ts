import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { GameJobRepo } from "../../../ports/game/GameJobRepo.ts"

const Row = Schema.Struct({
  id: Schema.Int,
  digest: Schema.String,
  queuedAt: Schema.Number,
  startedAt: Schema.NullOr(Schema.Number),
  completedAt: Schema.NullOr(Schema.Number),
  status: Schema.NullOr(Schema.String),
  result: Schema.NullOr(Schema.String)
})

const Place = Schema.Struct({ environmentId: EnvironmentId, audience: Schema.Literal("client", "server") })

export const GameJobRepoSqlite = Layer.effect(
  GameJobRepo,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal("id, digest, queued_at, started_at, completed_at, status, result")
    const find = SqlSchema.findOne({
      Request: Place,
      Result: Row,
      execute: ({ environmentId, audience }) =>
        sql`select ${columns} from game_jobs where environment_id = ${environmentId} and audience = ${audience}`
    })
    const queue = SqlSchema.single({
      Request: Schema.Struct({ ...Place.fields, digest: Schema.String, queuedAt: Schema.Number }),
      Result: Row,
      execute: (job) => sql`insert or replace into game_jobs ${sql.insert(job)} returning ${columns}`
    })
    return GameJobRepo.of({
      find: Effect.fn("GameJobRepo.find")((environmentId, audience) => Effect.orDie(find({ environmentId, audience }))),
      queue: Effect.fn("GameJobRepo.queue")((environmentId, audience, digest, queuedAt) =>
        Effect.orDie(queue({ environmentId, audience, digest, queuedAt }))
      ),
      start: Effect.fn("GameJobRepo.start")((environmentId, ids, at) =>
        Effect.forEach(
          ids,
          (id) => sql`update game_jobs set started_at = ${at} where id = ${id} and environment_id = ${environmentId}`,
          { discard: true }
        ).pipe(sql.withTransaction, Effect.orDie)
      ),
      complete: Effect.fn("GameJobRepo.complete")((environmentId, outcomes, at) =>
        Effect.forEach(
          outcomes,
          ({ id, status, result }) => sql`update game_jobs
            set completed_at = ${at}, status = ${status}, result = ${result}
            where id = ${id} and environment_id = ${environmentId}`,
          { discard: true }
        ).pipe(sql.withTransaction, Effect.orDie)
      )
    })
  })
)
