import { Reactivity } from "@effect/experimental"
import { SqlClient, Statement } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, FiberRef, Layer, Option, Scope, Stream, String } from "effect"
import { escapeLiteral } from "pg"
import { wrapped } from "../sql/Connections.ts"
import { namedLocks } from "../sql/NamedLocks.ts"
import { changesNothing, endsTransaction } from "../sql/Statements.ts"
import { orUnavailable } from "./Failures.ts"
import { poolOf, type PostgresOptions } from "./Pool.ts"

/**
 * The lock of the metadata, by which all processes that share the database wait for each other. A transaction has it for itself; writes
 * outside of transactions, and transactions with locks of their own names, share it. So nobody writes while a transaction without names
 * reads, decides and writes, as with SQLite, where all wait for the one connection.
 */
const lock = 1_735_550_825

const beginAlone = `begin; select pg_advisory_xact_lock(${lock})`
const beginShared = `begin; select pg_advisory_xact_lock_shared(${lock})`

const lockOf = (name: string): string => `select pg_advisory_xact_lock(${lock}, hashtext(${escapeLiteral(name)}))`

const beginOf = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? beginAlone : [beginShared, ...names.map(lockOf)].join("; ")

const run = (statement: string) => (connection: Connection) =>
  Effect.asVoid(connection.executeUnprepared(statement, [], undefined))

const make = Effect.fnUntraced(function* (options: PostgresOptions) {
  const driver = yield* Effect.orDie(PgClient.fromPool({ acquire: poolOf(options) }))
  const passed = orUnavailable()

  /** A connection of the pool until the scope closes. A statement that has begun is waited for: nobody else could use the connection. */
  const reserved = Effect.uninterruptible(
    Effect.map(passed(driver.reserve), (connection) =>
      wrapped(connection, (statement) => Effect.uninterruptible(passed(statement)))
    )
  )

  /** Writes outside of transactions may hold at most half of the connections while they wait for the lock; readers need the others. */
  const writers = yield* Effect.makeSemaphore(Math.max(1, Math.floor(options.connections / 2)))

  const outside = <A, E>(use: (connection: Connection) => Effect.Effect<A, E>) =>
    Effect.scoped(Effect.flatMap(reserved, use))

  /** A lock that is waited for in vain leaves a transaction behind, which must not go back to the pool with its connection. */
  const writing = <A, E>(connection: Connection, write: Effect.Effect<A, E>) =>
    Effect.uninterruptible(
      Effect.zipRight(run(beginShared)(connection), write).pipe(
        Effect.onError(() => Effect.ignore(Effect.sandbox(run("rollback")(connection)))),
        Effect.zipLeft(run("commit")(connection))
      )
    )

  const one = <A, E>(sql: string, statement: (connection: Connection) => Effect.Effect<A, E>) =>
    changesNothing.test(sql)
      ? outside(statement)
      : writers.withPermits(1)(outside((connection) => writing(connection, statement(connection))))

  /** Each statement is on its own, on any connection. */
  const pooled: Connection = {
    execute: (sql, params, transform) => one(sql, (own) => own.execute(sql, params, transform)),
    executeRaw: (sql, params) => one(sql, (own) => own.executeRaw(sql, params)),
    executeValues: (sql, params) => one(sql, (own) => own.executeValues(sql, params)),
    executeUnprepared: (sql, params, transform) => one(sql, (own) => own.executeUnprepared(sql, params, transform)),
    executeStream: (sql, params, transform) =>
      Stream.unwrapScoped(Effect.map(reserved, (own) => own.executeStream(sql, params, transform)))
  }

  /** Connections with transactions to which statements may be added. */
  const open = new WeakSet<Connection>()

  /**
   * A connection with a transaction that has begun. A statement that still runs in the background when the transaction ends goes on
   * outside of it, because by then somebody else may have the connection.
   */
  const begun = Effect.gen(function* () {
    const scope = yield* Effect.scope
    const connection = yield* reserved
    const inTurn = yield* Effect.makeSemaphore(1)
    const own = wrapped(connection, inTurn.withPermits(1))
    let hasEnded = false
    const current = (sql: string): Connection => {
      if (!endsTransaction.test(sql)) return open.has(held) ? own : pooled
      hasEnded = true
      return own
    }
    const held: Connection = {
      execute: (sql, params, transform) => Effect.suspend(() => current(sql).execute(sql, params, transform)),
      executeRaw: (sql, params) => Effect.suspend(() => current(sql).executeRaw(sql, params)),
      executeValues: (sql, params) => Effect.suspend(() => current(sql).executeValues(sql, params)),
      executeUnprepared: (sql, params, transform) =>
        Effect.suspend(() => current(sql).executeUnprepared(sql, params, transform)),
      executeStream: (sql, params, transform) => own.executeStream(sql, params, transform)
    }
    open.add(held)
    const undo = Effect.ignore(Effect.sandbox(run("rollback")(held)))
    yield* Scope.addFinalizer(
      scope,
      Effect.suspend(() => (hasEnded ? Effect.void : undo))
    )
    yield* run(beginOf(yield* FiberRef.get(namedLocks)))(held)
    return held
  })

  const inDatabase = SqlClient.makeWithTransaction({
    transactionTag: SqlClient.TransactionConnection,
    spanAttributes: [["db.system.name", "postgresql"]],
    acquireConnection: Effect.flatMap(Scope.make(), (scope) =>
      Scope.extend(begun, scope).pipe(
        Effect.map((connection) => [scope, connection] as const),
        Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
      )
    ),
    begin: () => Effect.void,
    savepoint: (connection, id) => run(`savepoint effect_sql_${id}`)(connection),
    commit: run("commit"),
    rollback: run("rollback"),
    rollbackSavepoint: (connection, id) => run(`rollback to savepoint effect_sql_${id}`)(connection)
  })

  /** Of this process's transactions only so many with names have a connection at once, and of those without only one waits for it. */
  const mostNamed = Math.max(1, Math.floor(options.connections / 4))
  const seats = yield* Effect.makeSemaphore(mostNamed)
  const door = yield* Effect.makeSemaphore(1)

  /** Transactions pass this door one by one: one that needs every seat is not overtaken by those that need a single seat. */
  const seated = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(door.take(1)), () => {
        let isHeld = true
        const open = Effect.suspend(() => {
          if (!isHeld) return Effect.void
          isHeld = false
          return door.release(1)
        })
        return Effect.ensuring(restore(seats.withPermits(count)(Effect.zipRight(open, effect))), open)
      })
    )

  const close = Effect.map(Effect.serviceOption(SqlClient.TransactionConnection), (found) => {
    if (Option.isSome(found)) open.delete(found.value[0])
  })

  const outermost = <A, E, R>(effect: Effect.Effect<A, E, R>, names: ReadonlyArray<string>) =>
    seated(
      names.length === 0 ? mostNamed : 1,
      Effect.flatMap(FiberRef.get(FiberRef.currentContext), (context) =>
        Effect.locally(
          inDatabase(Effect.ensuring(effect, close)),
          FiberRef.currentContext,
          Context.omit(SqlClient.TransactionConnection)(context)
        )
      )
    )

  /**
   * A nested transaction takes the locks of its names before its savepoint, and holds them until the outermost transaction ends, whether
   * or not it is undone itself.
   */
  const withTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(
      Effect.all([Effect.serviceOption(SqlClient.TransactionConnection), FiberRef.get(namedLocks)]),
      ([found, names]) => {
        if (Option.isNone(found) || !open.has(found.value[0])) return outermost(effect, names)
        const nested = inDatabase(effect)
        return names.length === 0 ? nested : Effect.zipRight(run(names.map(lockOf).join("; "))(found.value[0]), nested)
      }
    )

  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(pooled),
    transactionAcquirer: reserved,
    compiler: PgClient.makeCompiler(String.camelToSnake),
    transformRows: Statement.defaultTransforms(String.snakeToCamel).array,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  return Context.make(SqlClient.SqlClient, Object.assign(client, { withTransaction }))
})

/** The database of the metadata. Names are camelCase in code and snake_case in SQL. */
export const PostgresClient = (options: PostgresOptions) =>
  Layer.scopedContext(make(options)).pipe(Layer.provide(Reactivity.layer))
