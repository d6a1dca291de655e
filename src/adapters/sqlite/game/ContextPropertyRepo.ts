import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { ContextPropertyRepo } from "../../../ports/game/ContextPropertyRepo.ts"
import { Json } from "../Rows.ts"

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)

const Facts = Schema.Struct({
  name: Schema.String,
  kinds: Json(
    Schema.Struct({ string: Schema.Number, number: Schema.Number, boolean: Schema.Number, array: Schema.Number })
  ),
  values: Json(Schema.Array(Schema.Tuple(Scalar, Schema.Number))),
  lastSeenAt: Schema.Number
})
const Row = Schema.Struct({ environmentId: EnvironmentId, ...Facts.fields })

export const ContextPropertyRepoSqlite = Layer.effect(
  ContextPropertyRepo,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const list = SqlSchema.findAll({
      Request: EnvironmentId,
      Result: Facts,
      execute: (id) =>
        sql`select name, kinds, "values", last_seen_at from context_properties where environment_id = ${id}`
    })
    const put = SqlSchema.void({
      Request: Row,
      execute: ({ environmentId, name, kinds, values, lastSeenAt }) =>
        sql`insert or replace into context_properties (environment_id, name, kinds, "values", last_seen_at)
          select id, ${name}, ${kinds}, ${values}, ${lastSeenAt} from environments where id = ${environmentId}`
    })
    return ContextPropertyRepo.of({
      list: Effect.fn("ContextPropertyRepo.list")((environmentId) =>
        Effect.map(Effect.orDie(list(environmentId)), (facts) => facts.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      ),
      put: Effect.fn("ContextPropertyRepo.put")((environmentId, facts) =>
        Effect.orDie(
          sql.withTransaction(Effect.forEach(facts, (each) => put({ environmentId, ...each }), { discard: true }))
        )
      )
    })
  })
)
