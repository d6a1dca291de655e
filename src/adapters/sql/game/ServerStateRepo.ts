import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"
import { ServerStateRepo } from "../../../ports/game/ServerStateRepo.ts"
import { documentsAtOnce, inPortions } from "../Portions.ts"

const Row = Schema.Struct({ serverId: Schema.String, reportedAt: Schema.Number, state: Schema.String })

export const ServerStateRepoSql = Layer.effect(
  ServerStateRepo,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const find = SqlSchema.findOne({
      Request: Schema.Struct({ environmentId: EnvironmentId, serverId: Schema.String }),
      Result: Row,
      execute: ({ environmentId, serverId }) => sql`select server_id, reported_at, state from server_states
        where environment_id = ${environmentId} and server_id = ${serverId}`
    })
    const servers = SqlSchema.findAll({
      Request: EnvironmentId,
      Result: Row.pick("serverId"),
      execute: (id) => sql`select server_id from server_states where environment_id = ${id}`
    })
    return ServerStateRepo.of({
      put: (environmentId, state) =>
        Effect.asVoid(
          Effect.orDie(sql`insert into server_states ${sql.insert({ environmentId, ...state })}
            on conflict (environment_id, server_id) do update
              set reported_at = excluded.reported_at, state = excluded.state
              where excluded.reported_at >= server_states.reported_at`)
        ),
      find: (environmentId, serverId) => Effect.orDie(find({ environmentId, serverId })),
      removeMentioning: Effect.fnUntraced(function* (environmentId, test) {
        for (const { serverId } of yield* Effect.orDie(servers(environmentId))) {
          yield* nextTurn
          const found = yield* Effect.orDie(find({ environmentId, serverId }))
          if (Option.isNone(found) || ![JSON.stringify(serverId), found.value.state].some(test)) continue
          yield* Effect.orDie(sql`delete from server_states
            where environment_id = ${environmentId} and server_id = ${serverId}`)
        }
      }),
      expire: (before) =>
        inPortions(
          documentsAtOnce,
          Effect.map(
            sql`delete from server_states where (environment_id, server_id) in (
              select environment_id, server_id from server_states where reported_at < ${before} limit ${documentsAtOnce}
            ) returning 1`,
            ({ length }) => length
          )
        ).pipe(Effect.orDie, Effect.asVoid)
    })
  })
)
