import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { dialectOf } from "../Dialect.ts"
import { ErasureRepo } from "../../../ports/operations/ErasureRepo.ts"

const Row = Schema.Struct({ environmentId: EnvironmentId, unitId: Schema.String, erasedAt: Schema.Number })

export const ErasureRepoSql = Layer.effect(
  ErasureRepo,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const { greatest } = dialectOf(sql)
    const unfinished = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Row,
      execute: () =>
        sql`select environment_id, unit_id, erased_at from erasures
          where environment_id in (select id from environments) order by erased_at, environment_id, unit_id`
    })
    return ErasureRepo.of({
      begin: ({ environmentId, unitId, erasedAt }) =>
        Effect.asVoid(
          Effect.orDie(sql`insert into erasures ${sql.insert({ environmentId, unitId, erasedAt })}
            on conflict (environment_id, unit_id)
            do update set erased_at = ${greatest}(erasures.erased_at, excluded.erased_at)`)
        ),
      end: ({ environmentId, unitId, erasedAt }) =>
        Effect.asVoid(
          Effect.orDie(sql`delete from erasures
            where environment_id = ${environmentId} and unit_id = ${unitId} and erased_at <= ${erasedAt}`)
        ),
      unfinished: Effect.orDie(unfinished())
    })
  })
)
