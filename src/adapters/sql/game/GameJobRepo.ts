import { SqlClient, type SqlError, SqlSchema } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import type { Audience } from "../../../domain/configuration/Links.ts"
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
    /** Does the change that the last of these names which is about the audience's job. There is one job at most, whatever a game server names. */
    const ofOwn = <Named extends { readonly id: number }>(
      environmentId: EnvironmentId,
      audience: Audience,
      all: ReadonlyArray<Named>,
      change: (named: Named) => Effect.Effect<unknown, SqlError.SqlError>
    ) =>
      find({ environmentId, audience }).pipe(
        Effect.map(Option.flatMapNullable(({ id }) => all.findLast((named) => named.id === id))),
        Effect.flatMap(Option.match({ onNone: () => Effect.void, onSome: change })),
        sql.withTransaction,
        Effect.orDie,
        Effect.asVoid
      )
    return GameJobRepo.of({
      find: (environmentId, audience) => Effect.orDie(find({ environmentId, audience })),
      queueUnlessSame: (environmentId, audience, digest, queuedAt) =>
        Effect.orDie(sql.withTransaction(queueUnlessSame({ environmentId, audience, digest, queuedAt }))),
      start: (environmentId, audience, ids, at) =>
        ofOwn(
          environmentId,
          audience,
          ids.map((id) => ({ id })),
          ({ id }) => sql`update game_jobs set started_at = ${at} where id = ${id}`
        ),
      complete: (environmentId, audience, outcomes, at) =>
        ofOwn(
          environmentId,
          audience,
          outcomes,
          ({ id, status, result }) =>
            sql`update game_jobs set completed_at = ${at}, status = ${status}, result = ${result} where id = ${id}`
        )
    })
  })
)
