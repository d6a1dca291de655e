import { Reactivity } from "@effect/experimental"
import { SqlClient, Statement } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { Effect, Layer, Stream, String } from "effect"
import { makeOrganizationTurns } from "../local/OrganizationTurns.ts"
import type { ThreadPool } from "../node/ThreadPool.ts"
import { makeThreadPool } from "../node/ThreadPool.ts"
import { LongReads } from "../sql/LongReads.ts"
import { damaged } from "./Damage.ts"

/** What a thread that reads metadata is started with. */
export interface MetadataStart {
  readonly file: string
}

export interface MetadataQuestion {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}

/** The receiver of rows trusts the type it expects, as with any statement. */
export type MetadataReply<Row = unknown> =
  | { readonly type: "ready" }
  | { readonly type: "rows"; readonly rows: ReadonlyArray<Row> }
  | { readonly type: "failed"; readonly message: string; readonly isDamaged: boolean }

/** Milliseconds after which a read is given up. */
const longestRead = 30_000

/** Milliseconds without a read after which the thread ends: it takes some 5 MB, and a few reads at a start would keep it for good. */
const restMillis = 20_000

const failed = (cause: unknown) => new SqlError({ cause, message: "Failed to read metadata" })

const rowsOf = (pool: ThreadPool, question: MetadataQuestion): Effect.Effect<ReadonlyArray<never>, SqlError> =>
  pool.ask<MetadataReply<never>>(question, longestRead).pipe(
    Effect.mapError(failed),
    Effect.flatMap((reply): Effect.Effect<ReadonlyArray<never>, SqlError> => {
      if (reply.type === "rows") return Effect.succeed(reply.rows)
      return reply.type === "failed" && reply.isDamaged ? damaged(reply.message) : Effect.fail(failed(reply))
    })
  )

/** Organizations take turns at the thread. */
const connectionTo = (pool: ThreadPool): Connection => {
  const inTurn = makeOrganizationTurns()
  const execute: Connection["execute"] = (sql, params, transform) =>
    Effect.map(inTurn(rowsOf(pool, { sql, params })), (rows) => (transform === undefined ? rows : transform(rows)))
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, params) => execute(sql, params, undefined),
    executeValues: (sql, params) =>
      Effect.map(execute(sql, params, undefined), (rows) => rows.map((row) => Object.values(row))),
    executeStream: (sql, params, transform) => Stream.fromIterableEffect(execute(sql, params, transform))
  }
}

/** Reads of the file in a thread. */
export const LongReadsThread = (file: string, script: string) =>
  Layer.scoped(
    LongReads,
    Effect.gen(function* () {
      const pool = yield* makeThreadPool({ script, threads: 1, memoryMb: 512, restMillis, workerData: { file } })
      return yield* SqlClient.make({
        acquirer: Effect.succeed(connectionTo(pool)),
        compiler: Statement.makeCompilerSqlite(String.camelToSnake),
        transformRows: Statement.defaultTransforms(String.snakeToCamel).array,
        spanAttributes: [["db.system.name", "sqlite"]]
      })
    })
  ).pipe(Layer.provide(Reactivity.layer))
