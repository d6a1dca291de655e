import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { ErasureRepo } from "../../../ports/operations/ErasureRepo.ts"

const Row = Schema.Struct({ environmentId: EnvironmentId, unitId: Schema.String, erasedAt: Schema.Number })

export const ErasureRepoSqlite = Layer.effect(
  ErasureRepo,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const unfinished = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Row,
      execute: () =>
        sql`select environment_id, unit_id, erased_at from erasures
          where environment_id in (select id from environments) order by erased_at, environment_id, unit_id`
    })
    return ErasureRepo.of({
      begin: Effect.fn("ErasureRepo.begin")(({ environmentId, unitId, erasedAt }) =>
        Effect.asVoid(
          Effect.orDie(sql`insert into erasures ${sql.insert({ environmentId, unitId, erasedAt })}
            on conflict do update set erased_at = max(erased_at, excluded.erased_at)`)
        )
      ),
      end: Effect.fn("ErasureRepo.end")((environmentId, unitId) =>
        Effect.asVoid(
          Effect.orDie(sql`delete from erasures where environment_id = ${environmentId} and unit_id = ${unitId}`)
        )
      ),
      unfinished: Effect.orDie(unfinished())
    })
  })
)
