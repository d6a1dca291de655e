import { Reactivity } from "@effect/experimental"
import { SqlClient, Statement } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Effect, Layer, Predicate, Scope, String } from "effect"
import { StoreFull } from "../../ports/EventStore.ts"
import { DataFolderUnusable } from "./DataFolder.ts"

const unusable = (filename: string) => (cause: unknown) => {
  const reason = cause instanceof Error ? cause.message : "unknown reason"
  return Effect.fail(new DataFolderUnusable({ message: `The database ${filename} cannot be opened: ${reason}` }))
}

const isFull = ({ cause }: SqlError): boolean => Predicate.hasProperty(cause, "code") && cause.code === "SQLITE_FULL"

/** No caller can do anything about a full disk: it is a defect, but one with a name. */
const orFull = <A, R>(statement: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> =>
  Effect.catchIf(statement, isFull, () => Effect.die(new StoreFull()))

const named = (connection: Connection): Connection => ({
  ...connection,
  execute: (sql, params, transform) => orFull(connection.execute(sql, params, transform)),
  executeRaw: (sql, params) => orFull(connection.executeRaw(sql, params)),
  executeValues: (sql, params) => orFull(connection.executeValues(sql, params)),
  executeUnprepared: (sql, params, transform) =>
    orFull(Effect.suspend(() => connection.executeUnprepared(sql, params, transform)))
})

/** The connection, each statement of which runs when its turn has come. */
const inTurn = (connection: Connection, turn: Effect.Semaphore): Connection => {
  const take = turn.withPermits(1)
  return {
    ...connection,
    execute: (sql, params, transform) => take(connection.execute(sql, params, transform)),
    executeRaw: (sql, params) => take(connection.executeRaw(sql, params)),
    executeValues: (sql, params) => take(connection.executeValues(sql, params)),
    executeUnprepared: (sql, params, transform) =>
      take(Effect.suspend(() => connection.executeUnprepared(sql, params, transform)))
  }
}

/**
 * The driver's own client lets go of its connection just before a statement runs: a fiber that yields in between writes into the
 * transaction of another one and loses its write with it. Here a statement outside of a transaction holds the connection until it has run.
 */
const make = Effect.fnUntraced(function* (filename: string) {
  const driver = yield* Effect.catchAllDefect(SqliteClient.make({ filename }), unusable(filename))
  const connection = named(yield* Effect.orDie(driver.reserve))
  const turn = yield* Effect.makeSemaphore(1)
  const held = Effect.uninterruptibleMask((restore) =>
    restore(turn.take(1)).pipe(
      Effect.zipRight(Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, turn.release(1)))),
      Effect.as(connection)
    )
  )
  return yield* SqlClient.make({
    acquirer: Effect.succeed(inTurn(connection, turn)),
    transactionAcquirer: held,
    beginTransaction: "begin immediate",
    compiler: Statement.makeCompilerSqlite(String.camelToSnake),
    transformRows: Statement.defaultTransforms(String.snakeToCamel).array,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
})

/** One connection to a database file or to `:memory:`, with camelCase names on this side and snake_case names on the other. */
export const ExclusiveClient = (filename: string) =>
  Layer.scoped(SqlClient.SqlClient, make(filename)).pipe(Layer.provide(Reactivity.layer))
