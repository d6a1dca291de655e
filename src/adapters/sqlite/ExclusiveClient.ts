import { Reactivity } from "@effect/experimental"
import { SqlClient, Statement } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type Database from "better-sqlite3"
import { Context, Effect, Layer, Option, Scope, String } from "effect"
import { StoreFull, StoreLost } from "../../ports/analytics/EventStore.ts"
import { ReferencesChanged } from "../../ports/operations/ReferencesChanged.ts"
import { breaksReference } from "../sql/Violations.ts"
import { isCorrupt } from "./Corruption.ts"
import { damaged } from "./Damage.ts"
import { DirectConnection } from "./DirectConnection.ts"
import { DataFolderUnusable } from "./DataFolder.ts"
import { FilePlace } from "./FilePlace.ts"
import { isStorageFull } from "./events/file/EventsDb.ts"
import { OneStep } from "../sql/OneStep.ts"
import { WithoutForeignKeys } from "../sql/WithoutForeignKeys.ts"
import { withoutForeignKeys } from "./WithoutForeignKeys.ts"

const unusable = (filename: string) => (cause: unknown) => {
  const reason = cause instanceof Error ? cause.message : "unknown reason"
  return new DataFolderUnusable({ message: `The database ${filename} cannot be opened: ${reason}` })
}

/**
 * A full disk, a file that SQLite finds to be damaged, and a row that would name a removed one, are defects that callers higher up recognise: no
 * single caller could handle them.
 */
const failed = (error: SqlError): Effect.Effect<never, SqlError> => {
  const { cause } = error
  if (isStorageFull(cause)) return Effect.die(new StoreFull())
  if (breaksReference(error)) return Effect.die(new ReferencesChanged())
  return isCorrupt(cause) ? damaged(cause) : Effect.fail(error)
}

const system = ["db.system.name", "sqlite"] as const

/** What a step tells of itself: not its statements, which are many. */
const span = { kind: "client", captureStackTrace: false, attributes: { [system[0]]: system[1] } } as const

/**
 * A client whose statements wait while somebody holds the connection for a transaction, and nobody else: each runs in one step. The driver's
 * own client releases a connection before its statement has run, so a fiber that yields in between would write into another fiber's transaction
 * and lose its write if that is rolled back.
 */
const make = Effect.fnUntraced(function* (filename: string, onCommit: () => () => void, database?: Database.Database) {
  const driver = yield* Effect.acquireRelease(
    Effect.try({ try: () => new DirectConnection(filename, undefined, database), catch: unusable(filename) }),
    (opened) => Effect.sync(() => opened.close())
  )
  const place = new FilePlace(filename)
  const turn = yield* Effect.makeSemaphore(1)
  const inTurn = turn.withPermits(1)
  let isHeld = false
  // A write to a file that is not where it was opened would be found by nobody.
  const watch = { refusal: () => (place.isLost() ? Effect.die(new StoreLost()) : null), failed, onCommit }
  const own = { ...watch, turn: () => null }
  const connection = driver.of(own)
  const inTurnWhereHeld = { ...watch, turn: () => (isHeld ? inTurn : null) }
  const hold = Effect.flatMap(Effect.scope, (scope) => {
    isHeld = true
    const release = Effect.suspend(() => {
      isHeld = false
      return turn.release(1)
    })
    return Scope.addFinalizer(scope, release)
  })
  const held = Effect.uninterruptibleMask((restore) =>
    restore(turn.take(1)).pipe(Effect.zipRight(hold), Effect.as(connection))
  )
  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(driver.of(inTurnWhereHeld)),
    transactionAcquirer: held,
    beginTransaction: "begin immediate",
    compiler: Statement.makeCompilerSqlite(String.camelToSnake),
    transformRows: Statement.defaultTransforms(String.snakeToCamel).array,
    spanAttributes: [system]
  })
  /** Whoever holds the connection waits for nobody. */
  const watched = Effect.map(Effect.serviceOption(SqlClient.TransactionConnection), (found) =>
    Option.isSome(found) ? own : inTurnWhereHeld
  )
  return Context.make(SqlClient.SqlClient, client).pipe(
    Context.add(WithoutForeignKeys, withoutForeignKeys(held)),
    Context.add(OneStep, {
      read: (work) => Effect.useSpan("sql.execute", span, () => Effect.flatMap(watched, (by) => driver.read(by, work))),
      transact: (work) =>
        Effect.useSpan("sql.transaction", span, () => Effect.flatMap(watched, (by) => driver.transact(by, work)))
    })
  )
})

/**
 * One connection to a database file or `:memory:`, which calls `onCommit` after each of its commits, and what that answers once the commit is
 * on disk. Names are camelCase in code and snake_case in SQL.
 */
export const ExclusiveClient = (filename: string, onCommit: () => () => void = () => () => undefined) =>
  Layer.scopedContext(make(filename, onCommit)).pipe(Layer.provide(Reactivity.layer))

/** The same over a database in memory that is there already, which closes with the client. */
export const MemoryClient = (database: Database.Database) =>
  Layer.scopedContext(make(":memory:", () => () => undefined, database)).pipe(Layer.provide(Reactivity.layer))
