import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { EnvironmentId } from "../../../domain/Ids.ts"
import { MetadataLog } from "../MetadataGuard.ts"
import { ErasedUnitRepo } from "../../../ports/operations/ErasedUnitRepo.ts"

const Row = Schema.Struct({ fingerprint: Schema.String, erasedAt: Schema.Number })

export const ErasedUnitRepoSqlite = Layer.effect(
  ErasedUnitRepo,
  Effect.map(Effect.all([SqlClient.SqlClient, MetadataLog]), ([sql, log]) => {
    const list = SqlSchema.findAll({
      Request: EnvironmentId,
      Result: Row,
      execute: (id) => sql`select fingerprint, erased_at from erased_units where environment_id = ${id}`
    })
    return ErasedUnitRepo.of({
      put: Effect.fn("ErasedUnitRepo.put")((environmentId, fingerprint, erasedAt) =>
        Effect.asVoid(
          Effect.orDie(sql`insert into erased_units ${sql.insert({ environmentId, fingerprint, erasedAt })}
            on conflict do update set erased_at = max(erased_at, excluded.erased_at)`)
        )
      ),
      scrub: log.empty,
      list: Effect.fn("ErasedUnitRepo.list")((environmentId) => Effect.orDie(list(environmentId)))
    })
  })
)
