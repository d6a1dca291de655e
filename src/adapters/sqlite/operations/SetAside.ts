import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { SetAside } from "../../../ports/operations/SetAside.ts"

export const SetAsideSqlite = Layer.effect(
  SetAside,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const list = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Schema.Struct({ id: EnvironmentId }),
      execute: () => sql`select id from set_aside where kind = 'environment' order by id`
    })
    return { environments: Effect.map(Effect.orDie(list(undefined)), (rows) => rows.map(({ id }) => id)) }
  })
)
