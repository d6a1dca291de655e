import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
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

export const GameJobRepoSql = Layer.effect(
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
      execute: (job) => sql`insert into game_jobs ${sql.insert(job)} returning ${columns}`
    })
    const queueUnlessSame = Effect.fnUntraced(function* (job: Parameters<typeof queue>[0]) {
      const { environmentId, audience, digest } = job
      const latest = yield* find({ environmentId, audience })
      if (Option.isSome(latest) && latest.value.digest === digest) return Option.none()
      yield* sql`delete from game_jobs where environment_id = ${environmentId} and audience = ${audience}`
      return Option.some(yield* queue(job))
    })
    const decodeIds = Schema.decodeUnknown(Schema.Array(Row.pick("id")))
    /** Which of these ids are jobs of the environment, each once: it has two at most, whatever a game server names. */
    const ownOf = (environmentId: EnvironmentId, ids: ReadonlyArray<number>) =>
      sql`select id from game_jobs where environment_id = ${environmentId}`.pipe(
        Effect.flatMap(decodeIds),
        Effect.map((own) => own.flatMap(({ id }) => (ids.includes(id) ? [id] : [])))
      )
    return GameJobRepo.of({
      find: (environmentId, audience) => Effect.orDie(find({ environmentId, audience })),
      queueUnlessSame: (environmentId, audience, digest, queuedAt) =>
        Effect.orDie(sql.withTransaction(queueUnlessSame({ environmentId, audience, digest, queuedAt }))),
      start: (environmentId, ids, at) =>
        ownOf(environmentId, ids).pipe(
          Effect.flatMap(
            Effect.forEach((id) => sql`update game_jobs set started_at = ${at} where id = ${id}`, { discard: true })
          ),
          sql.withTransaction,
          Effect.orDie
        ),
      complete: (environmentId, outcomes, at) => {
        const last = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
        const complete = (id: number) =>
          Effect.forEach(
            [last.get(id)].filter((outcome) => outcome !== undefined),
            ({ status, result }) =>
              sql`update game_jobs set completed_at = ${at}, status = ${status}, result = ${result} where id = ${id}`
          )
        return ownOf(environmentId, [...last.keys()]).pipe(
          Effect.flatMap(Effect.forEach(complete, { discard: true })),
          sql.withTransaction,
          Effect.orDie
        )
      }
    })
  })
)
