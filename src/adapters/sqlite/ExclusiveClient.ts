import { Reactivity } from "@effect/experimental"
import { SqlClient, Statement } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Effect, Layer, Predicate, Scope, String } from "effect"
import { StoreFull } from "../../ports/analytics/EventStore.ts"
import { DataFolderUnusable } from "./DataFolder.ts"

const unusable = (filename: string) => (cause: unknown) => {
  const reason = cause instanceof Error ? cause.message : "unknown reason"
  return Effect.fail(new DataFolderUnusable({ message: `The database ${filename} cannot be opened: ${reason}` }))
}

const isFull = ({ cause }: SqlError): boolean => Predicate.hasProperty(cause, "code") && cause.code === "SQLITE_FULL"

type Pass = <A>(statement: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>

/** No caller can do anything about a full disk: it is a defect, but one with a name. */
const orFull: Pass = (statement) => Effect.catchIf(statement, isFull, () => Effect.die(new StoreFull()))

/** The connection, each statement of which goes through something. */
const through = (connection: Connection, pass: Pass): Connection => ({
  ...connection,
  execute: (sql, params, transform) => pass(connection.execute(sql, params, transform)),
  executeRaw: (sql, params) => pass(connection.executeRaw(sql, params)),
  executeValues: (sql, params) => pass(connection.executeValues(sql, params)),
  executeUnprepared: (sql, params, transform) =>
    pass(Effect.suspend(() => connection.executeUnprepared(sql, params, transform)))
})

/**
 * The driver's own client lets go of its connection just before a statement runs: a fiber that yields in between writes into the
 * transaction of another one and loses its write with it. Here a statement outside of a transaction holds the connection until it has run.
 */
const make = Effect.fnUntraced(function* (filename: string) {
  const driver = yield* Effect.catchAllDefect(SqliteClient.make({ filename }), unusable(filename))
  const connection = through(yield* Effect.orDie(driver.reserve), orFull)
  const turn = yield* Effect.makeSemaphore(1)
  const held = Effect.uninterruptibleMask((restore) =>
    restore(turn.take(1)).pipe(
      Effect.zipRight(Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, turn.release(1)))),
      Effect.as(connection)
    )
  )
  return yield* SqlClient.make({
    acquirer: Effect.succeed(through(connection, turn.withPermits(1))),
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
