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

    /** A table of descriptions, of which each environment has one by its `key`: those columns beside the environment. */
    const tableOf = <A, I extends object>(
      name: string,
      Row: Schema.Schema<A, I> & { readonly fields: object },
      key: ReadonlyArray<keyof A & string>
    ) => {
      const columns = (names: ReadonlyArray<string>) => sql.csv(names.map((column) => sql`${sql(column)}`))
      const others = Object.keys(Row.fields).filter((column) => !key.some((each) => each === column))
      const replaced = sql.csv(others.map((column) => sql`${sql(column)} = excluded.${sql(column)}`))
      const encode = Schema.encode(Schema.Array(Row))
      const keyOf = (row: A) => JSON.stringify(key.map((column) => row[column]))
      const list = SqlSchema.findAll({
        Request: Schema.Number,
        Result: Row,
        execute: (id) => sql`select * from ${sql(name)} where environment_id = ${id} order by ${columns(key)}`
      })
      const replace = Effect.fnUntraced(function* (environmentId: EnvironmentId, rows: ReadonlyArray<A>) {
        if (rows.length === 0) return
        const last = [...new Map(rows.map((row) => [keyOf(row), row])).values()]
        const values = (yield* encode(last)).map((row) => ({ environmentId, ...row }))
        yield* sql`insert into ${sql(name)} ${sql.insert(values)}
          on conflict (${columns(["environmentId", ...key])}) do update set ${replaced}`
      })
      return { list, replace }
    }
    const types = tableOf("marker_types", TypeRow, ["name"])
    const described = tableOf("marker_arguments", ArgumentRow, ["type", "name"])

    return MarkerRepo.of({
      metadata: (environmentId) =>
        Effect.orDie(Effect.all({ types: types.list(environmentId), arguments: described.list(environmentId) })),
      put: (environmentId, metadata) =>
        types
          .replace(environmentId, metadata.types)
          .pipe(
            Effect.zipRight(described.replace(environmentId, metadata.arguments)),
            sql.withTransaction,
            Effect.orDie
          )
    })
  })
)
