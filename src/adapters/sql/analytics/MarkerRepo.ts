import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import type { EnvironmentId } from "../../../domain/Ids.ts"
import { MarkerRepo } from "../../../ports/analytics/MarkerRepo.ts"
import { Flag } from "../Rows.ts"

const text = Schema.NullOr(Schema.String)

const TypeRow = Schema.Struct({ name: Schema.String, displayName: text, description: text, hidden: Flag })

const ArgumentRow = Schema.Struct({
  type: Schema.String,
  name: Schema.String,
  description: text,
  unit: text,
  decimals: Schema.NullOr(Schema.Int)
})

export const MarkerRepoSql = Layer.effect(
  MarkerRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const rowsOf = <A, I>(table: string, Row: Schema.Schema<A, I>) =>
      SqlSchema.findAll({
        Request: Schema.Number,
        Result: Row,
        execute: (id) => sql`select * from ${sql(table)} where environment_id = ${id}`
      })
    const types = rowsOf("marker_types", TypeRow)
    const argumentsOf = rowsOf("marker_arguments", ArgumentRow)

    const replace = <A, I extends object>(table: string, Row: Schema.Schema<A, I>) => {
      const encode = Schema.encode(Schema.Array(Row))
      return Effect.fnUntraced(function* (environmentId: EnvironmentId, rows: ReadonlyArray<A>) {
        if (rows.length === 0) return
        const values = (yield* encode(rows)).map((row) => ({ environmentId, ...row }))
        yield* sql`insert or replace into ${sql(table)} ${sql.insert(values)}`
      })
    }
    const replaceTypes = replace("marker_types", TypeRow)
    const replaceArguments = replace("marker_arguments", ArgumentRow)

    return MarkerRepo.of({
      metadata: Effect.fn("MarkerRepo.metadata")((environmentId) =>
        Effect.orDie(Effect.all({ types: types(environmentId), arguments: argumentsOf(environmentId) }))
      ),
      put: Effect.fn("MarkerRepo.put")((environmentId, metadata) =>
        replaceTypes(environmentId, metadata.types).pipe(
          Effect.zipRight(replaceArguments(environmentId, metadata.arguments)),
          sql.withTransaction,
          Effect.orDie
        )
      )
    })
  })
)
