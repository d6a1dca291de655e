import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { poolOf, type PostgresOptions } from "./Pool.ts"

/** A database as it is, with names that are the same in code and in SQL. Fails where it cannot be reached. */
export const PlainClient = (options: PostgresOptions) =>
  PgClient.layerFromPool({ acquire: Effect.suspend(() => poolOf(options)) })

/**
 * The database of the log of markers, with connections and transactions of its own: markers are taken in without waiting for the lock of the
 * metadata. Names are the same in code and in SQL.
 */
export const LogClient = (options: PostgresOptions) => Layer.orDie(PlainClient(options))
