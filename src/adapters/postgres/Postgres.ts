import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { AccessVersionLive } from "../cache/AccessVersion.ts"
import { NothingSetAside } from "../local/SetAside.ts"
import { LongReadsHere } from "../sql/LongReads.ts"
import { ErasedUnitRepoSql } from "../sql/operations/ErasedUnitRepo.ts"
import { OneStep } from "../sql/OneStep.ts"
import { Repos } from "../sql/Repos.ts"
import { RowGuardNone } from "../sql/sums/RowGuard.ts"
import { WithoutForeignKeys } from "../sql/WithoutForeignKeys.ts"
import { MetadataDb } from "./MetadataDb.ts"
import { RateLimitsPostgres } from "./access/RateLimits.ts"
import { HealthPostgres } from "./operations/Health.ts"
import { PeersPostgres } from "./Peers.ts"
import type { PostgresOptions } from "./Pool.ts"
import { TurnsPostgres } from "./Turns.ts"

/** What may have millions of rows refers to its record without a foreign key, so every transaction leaves these to `RemovedRows`. */
const Unenforced = Layer.effect(
  WithoutForeignKeys,
  Effect.map(SqlClient.SqlClient, ({ withTransaction }) => withTransaction)
)

/** Every metadata port on a PostgreSQL database, which any number of processes share. */
export const PostgresMetadata = (options: PostgresOptions) =>
  AccessVersionLive.pipe(
    Layer.provideMerge(HealthPostgres),
    Layer.provideMerge(PeersPostgres(options)),
    Layer.provideMerge(
      Layer.mergeAll(
        Repos,
        ErasedUnitRepoSql(Effect.succeed(Effect.void)),
        NothingSetAside,
        TurnsPostgres(options),
        RateLimitsPostgres
      ).pipe(
        Layer.provide(Layer.succeed(OneStep, null)),
        Layer.provide(RowGuardNone),
        Layer.provide(LongReadsHere),
        Layer.provide(Unenforced)
      )
    ),
    Layer.provide(MetadataDb(options))
  )
