import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { dialectOf } from "../Dialect.ts"
import { ErasedUnitRepo } from "../../../ports/operations/ErasedUnitRepo.ts"

const Row = Schema.Struct({ fingerprint: Schema.String, erasedAt: Schema.Number })

/** Given what overwrites everything that was removed. */
export const ErasedUnitRepoSql = <R>(scrub: Effect.Effect<Effect.Effect<void>, never, R>) =>
  Layer.effect(
    ErasedUnitRepo,
    Effect.map(Effect.all([SqlClient.SqlClient, scrub]), ([sql, scrub]) => {
      const { greatest } = dialectOf(sql)
      const list = SqlSchema.findAll({
        Request: EnvironmentId,
        Result: Row,
        execute: (id) => sql`select fingerprint, erased_at from erased_units where environment_id = ${id}`
      })
      return ErasedUnitRepo.of({
        put: (environmentId, fingerprint, erasedAt) =>
          Effect.asVoid(
            Effect.orDie(sql`insert into erased_units ${sql.insert({ environmentId, fingerprint, erasedAt })}
            on conflict (environment_id, fingerprint)
            do update set erased_at = ${greatest}(erased_units.erased_at, excluded.erased_at)`)
          ),
        scrub,
        list: (environmentId) => Effect.orDie(list(environmentId))
      })
    })
  )
