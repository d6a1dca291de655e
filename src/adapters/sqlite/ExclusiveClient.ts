import { Reactivity } from "@effect/experimental"
import { SqlClient, Statement } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqliteClient } from "@effect/sql-sqlite-node"
import Database from "better-sqlite3"
import { Context, Effect, Layer, Scope, String } from "effect"
import { MetadataDamaged } from "../../ports/operations/MetadataDamaged.ts"
import { StoreFull, StoreLost } from "../../ports/analytics/EventStore.ts"
import { DataFolderUnusable } from "./DataFolder.ts"
import { FilePlace } from "./FilePlace.ts"
import { isStorageFull } from "./events/file/EventsDb.ts"
import { noted } from "./NotedCommits.ts"
import { type Pass, wrapped } from "../sql/Connections.ts"
import { changesNothing } from "../sql/Statements.ts"
import { WithoutForeignKeys } from "../sql/WithoutForeignKeys.ts"
import { withoutForeignKeys } from "./WithoutForeignKeys.ts"

const unusable = (filename: string) => (cause: unknown) => {
  const reason = cause instanceof Error ? cause.message : "unknown reason"
  return Effect.fail(new DataFolderUnusable({ message: `The database ${filename} cannot be opened: ${reason}` }))
}

/** Turns a full disk into a defect that callers higher up recognise: no single caller could handle it. */
const orFull = <A>(statement: Effect.Effect<A, SqlError>) =>
  Effect.catchIf(
    statement,
    ({ cause }) => isStorageFull(cause),
    () => Effect.die(new StoreFull())
  )

const isCorrupt = (cause: unknown): boolean =>
  cause instanceof Database.SqliteError && (cause.code.startsWith("SQLITE_CORRUPT") || cause.code === "SQLITE_NOTADB")

/** The same with a file that SQLite finds to be damaged. */
const orDamaged: Pass = (statement) =>
  Effect.catchIf(
    statement,
    ({ cause }) => isCorrupt(cause),
    ({ cause }) =>
      Effect.zipRight(
        Effect.logError("metadata.sqlite is damaged: put back both files of one backup", cause),
        Effect.die(new MetadataDamaged())
      )
  )

/** Refuses to write while the file is not where it was opened: a defect that callers higher up recognise. */
const guarded = (connection: Connection, place: FilePlace): Connection =>
  wrapped(connection, (statement, sql) =>
    Effect.suspend(() => (changesNothing.test(sql) || !place.isLost() ? statement : Effect.die(new StoreLost())))
  )

/**
 * A client whose statements hold the connection until they have run. The driver's own client releases it just before,
 * so a fiber that yields in between would write into another fiber's transaction and lose its write if that is rolled
 * back.
 */
const make = Effect.fnUntraced(function* (filename: string, onCommit: () => void) {
  const driver = yield* Effect.catchAllDefect(SqliteClient.make({ filename }), unusable(filename))
  const connection = guarded(
    wrapped(noted(yield* Effect.orDie(driver.reserve), onCommit), (statement, sql) =>
      orDamaged(orFull(statement), sql)
    ),
    new FilePlace(filename)
  )
  const turn = yield* Effect.makeSemaphore(1)
  const held = Effect.uninterruptibleMask((restore) =>
    restore(turn.take(1)).pipe(
      Effect.zipRight(Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, turn.release(1)))),
      Effect.as(connection)
    )
  )
  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(wrapped(connection, turn.withPermits(1))),
    transactionAcquirer: held,
    beginTransaction: "begin immediate",
    compiler: Statement.makeCompilerSqlite(String.camelToSnake),
    transformRows: Statement.defaultTransforms(String.snakeToCamel).array,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  return Context.make(SqlClient.SqlClient, client).pipe(Context.add(WithoutForeignKeys, withoutForeignKeys(held)))
})

/**
 * One connection to a database file or `:memory:`, which calls `onCommit` after each of its commits. Names are camelCase in code and
 * snake_case in SQL.
 */
export const ExclusiveClient = (filename: string, onCommit: () => void = () => undefined) =>
  Layer.scopedContext(make(filename, onCommit)).pipe(Layer.provide(Reactivity.layer))
