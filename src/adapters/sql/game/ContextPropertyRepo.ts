import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import type { ContextSightings } from "../../../domain/experiments/ContextFacts.ts"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { ContextPropertyRepo } from "../../../ports/game/ContextPropertyRepo.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"
import { JsonText } from "../Rows.ts"

/** Names that are merged and written between two turns of the event loop. */
const namesAtOnce = 20

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)

const Facts = Schema.Struct({
  name: Schema.String,
  kinds: JsonText(
    Schema.Struct({ string: Schema.Number, number: Schema.Number, boolean: Schema.Number, array: Schema.Number })
  ),
  values: JsonText(Schema.Array(Schema.Tuple(Scalar, Schema.Number))),
  lastSeenAt: Schema.Number
})
const Row = Schema.Struct({ environmentId: EnvironmentId, ...Facts.fields })

export const ContextPropertyRepoSql = Layer.effect(
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
        sql`insert into context_properties (environment_id, name, kinds, "values", last_seen_at)
          select id, ${name}, ${kinds}, ${values}, ${lastSeenAt} from environments where id = ${environmentId}
          on conflict (environment_id, name) do update
            set kinds = excluded.kinds, "values" = excluded."values", last_seen_at = excluded.last_seen_at`
    })
    const inOrder = (environmentId: EnvironmentId) =>
      Effect.map(list(environmentId), (facts) => facts.toSorted((a, b) => (a.name < b.name ? -1 : 1)))

    /** A few names at a time: each may have hundreds of values to count and sort. */
    const add = Effect.fnUntraced(function* (environmentId: EnvironmentId, sightings: ContextSightings) {
      let count = 0
      for (const facts of sightings.addedTo(yield* inOrder(environmentId))) {
        yield* put({ environmentId, ...facts })
        if (++count % namesAtOnce === 0) yield* nextTurn
      }
    })

    return ContextPropertyRepo.of({
      list: (environmentId) => Effect.orDie(inOrder(environmentId)),
      add: (environmentId, sightings) => Effect.orDie(sql.withTransaction(add(environmentId, sightings))),
      put: (environmentId, facts) =>
        Effect.orDie(
          sql.withTransaction(Effect.forEach(facts, (each) => put({ environmentId, ...each }), { discard: true }))
        )
    })
  })
)
