import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { strangerSetAside } from "../../../domain/operations/Repair.ts"
import { SetAside } from "../../../ports/operations/SetAside.ts"

export const SetAsideSqlite = Layer.effect(
  SetAside,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const list = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Schema.Struct({ id: EnvironmentId }),
      execute: () => sql`select id from set_aside where kind = 'environment' order by id`
    })
    const everything = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Schema.Struct({
        kind: Schema.Literal("environment", "cohort"),
        id: Schema.Number,
        environmentId: Schema.Number
      }),
      execute: () => sql`select kind, id, environment_id from set_aside order by kind, id`
    })
    return SetAside.of({
      environments: Effect.map(Effect.orDie(list(undefined)), (rows) => rows.map(({ id }) => id)),
      all: Effect.orDie(everything(undefined)),
      forget: Effect.fnUntraced(
        function* (stranger, at) {
          yield* sql`delete from set_aside where kind = ${stranger.kind} and id = ${stranger.id}`
          yield* sql`update repairs set accepted_at = ${at}
            where kind = 'setAside' and accepted_at is null and text = ${strangerSetAside(stranger).text}`
        },
        sql.withTransaction,
        Effect.orDie
      )
    })
  })
)
