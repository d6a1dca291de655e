import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import Database from "better-sqlite3"
import { Effect, Either, Option, Stream } from "effect"
import type { StepStatement } from "../sql/OneStep.ts"
import { changesNothing, endsTransaction } from "../sql/Statements.ts"
import { LogSync } from "./LogSync.ts"

/** Statements that are kept prepared; the one that was used longest ago goes first. */
const mostPrepared = 400

const begins = /^\s*begin\b/i

/** What a connection asks before and tells after its statements. */
export interface Watch {
  /** Why nothing may be written now; null while it may. */
  readonly refusal: () => Effect.Effect<never> | null
  /** What becomes of a statement that SQLite refuses. */
  readonly failed: (error: SqlError) => Effect.Effect<never, SqlError>
  /**
   * Called after each commit, before whoever made it goes on: after a write that stands for itself, and after the end of a transaction. What
   * it throws is tried again by the next commit, and fails no write.
   */
  readonly onCommit: () => void
  /** Lets a statement wait its turn where somebody else holds the connection; null while nobody does. */
  readonly turn: () => (<A>(statement: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>) | null
}

interface Watching extends Watch {
  readonly committed: () => void
}

interface Prepared {
  readonly statement: Database.Statement<Array<unknown>, never>
  readonly changesNothing: boolean
  readonly begins: boolean
  readonly ends: boolean
}

const rowsOf = (statement: Prepared["statement"], params: ReadonlyArray<unknown>): ReadonlyArray<never> => {
  if (statement.reader) return statement.all(...params)
  statement.run(...params)
  return []
}

type Work<A> = (statement: (sql: string) => StepStatement) => A

const watchingOf = (watch: Watch): Watching => ({ ...watch, committed: Option.liftThrowable(watch.onCommit) })

const failureOf = (cause: unknown) => new SqlError({ cause, message: "Failed to execute statement" })

/** A database whose statements run within one step each, since metadata takes many of them: every further step would cost as much as a short one. */
export class DirectConnection {
  private readonly db: Database.Database
  /** Null for a database in memory. */
  private readonly log: LogSync | null
  private readonly prepared = new Map<string, Prepared>()
  private isOpen = false

  constructor(filename: string) {
    this.db = new Database(filename)
    this.db.pragma("journal_mode = wal")
    this.log = this.db.memory ? null : new LogSync(`${filename}-wal`)
  }

  close(): void {
    this.log?.close()
    this.db.close()
  }

  /** Runs `work`, which changes nothing, in one step, once nobody else holds the connection. */
  read<A>(watch: Watch, work: Work<A>): Effect.Effect<A, SqlError> {
    const now = Effect.suspend(() => {
      const done = Either.try({ try: () => work(this.statementOf), catch: failureOf })
      return Either.isRight(done) ? Effect.succeed(done.right) : watch.failed(done.left)
    })
    return Effect.suspend(() => watch.turn()?.(now) ?? now)
  }

  /**
   * The same for writes, which are one transaction. They are on disk when the effect ends, and others go on meanwhile: what they read may be
   * lost with the power before it was told to whoever has written it.
   */
  transact<A>(watch: Watch, work: Work<A>): Effect.Effect<A, SqlError> {
    const now = Effect.suspend(() => this.runAll(watchingOf(watch), work))
    return Effect.suspend(() => watch.turn()?.(now) ?? now)
  }

  /** The connection as those use it for whom `watch` watches. */
  of(watch: Watch): Connection {
    const watching = watchingOf(watch)
    const step = <A>(sql: string, run: (statement: Prepared["statement"]) => A): Effect.Effect<A, SqlError> => {
      const now: Effect.Effect<A, SqlError> = Effect.suspend(() => this.run(watching, sql, run))
      return Effect.suspend(() => {
        const waiting = watch.turn()
        return waiting === null ? this.run(watching, sql, run) : waiting(now)
      })
    }
    const execute: Connection["execute"] = (sql, params, transform) =>
      step(sql, (statement) => {
        const rows = rowsOf(statement, params)
        return transform === undefined ? rows : transform(rows)
      })
    return {
      execute,
      executeUnprepared: execute,
      executeRaw: (sql, params) =>
        step(sql, (statement) => (statement.reader ? statement.all(...params) : statement.run(...params))),
      executeValues: (sql, params) =>
        step(sql, (statement) => rowsOf(statement, params).map((row): ReadonlyArray<unknown> => Object.values(row))),
      executeStream: () => Stream.dieMessage("Nothing streams metadata")
    }
  }

  private prepare(sql: string): Prepared {
    const known = this.prepared.get(sql)
    const found = known ?? {
      statement: this.db.prepare<Array<unknown>, never>(sql),
      changesNothing: changesNothing.test(sql),
      begins: begins.test(sql),
      ends: endsTransaction.test(sql)
    }
    if (known !== undefined) this.prepared.delete(sql)
    this.prepared.set(sql, found)
    const [oldest] = this.prepared.keys()
    if (this.prepared.size > mostPrepared && oldest !== undefined) this.prepared.delete(oldest)
    return found
  }

  private run<A>(
    { refusal, failed, committed }: Watching,
    sql: string,
    run: (statement: Prepared["statement"]) => A
  ): Effect.Effect<A, SqlError> {
    const refused = changesNothing.test(sql) ? null : refusal()
    if (refused !== null) return refused
    const done = Either.try({
      try: () => {
        const prepared = this.prepare(sql)
        const result = run(prepared.statement)
        if (this.isCommitted(prepared)) committed()
        return result
      },
      catch: failureOf
    })
    return Either.isRight(done) ? Effect.succeed(done.right) : failed(done.left)
  }

  private readonly statementOf = (sql: string): StepStatement => {
    const { statement } = this.prepare(sql)
    return { all: (values) => statement.all(...values), change: (values) => statement.run(...values).changes }
  }

  private runAll<A>(watching: Watching, work: Work<A>): Effect.Effect<A, SqlError> {
    const lost = watching.refusal()
    if (lost !== null) return lost
    const isOutermost = !this.db.inTransaction
    const run = () =>
      Either.try({ try: () => this.db.transaction(() => work(this.statementOf)).immediate(), catch: failureOf })
    const done = isOutermost ? this.unsynced(run) : run()
    if (Either.isLeft(done)) return watching.failed(done.left)
    const result = Effect.succeed(done.right)
    return isOutermost ? Effect.zipRight(this.synced(watching), result) : result
  }

  /** Runs a transaction without waiting for the disk: `synced` does so afterwards. */
  private unsynced<A>(run: () => Either.Either<A, SqlError>): Either.Either<A, SqlError> {
    if (this.log === null) return run()
    this.db.pragma("synchronous = normal")
    const done = run()
    this.db.pragma("synchronous = full")
    return done
  }

  /** Ends when what is committed is on disk. Whoever watches is told once all of it is, since more may have come meanwhile. */
  private synced({ committed, failed }: Watching): Effect.Effect<void, SqlError> {
    const { log } = this
    if (log === null) return Effect.sync(committed)
    return Effect.uninterruptible(
      Effect.async<void, SqlError>((resume) =>
        log.begin((failure, isAll) => {
          if (failure !== null) return resume(failed(failureOf(failure)))
          if (isAll) committed()
          resume(Effect.void)
        })
      )
    )
  }

  /** Whether a statement that has run has ended a transaction, or stands for itself and writes. */
  private isCommitted({ begins, ends, changesNothing }: Prepared): boolean {
    if (begins) this.isOpen = true
    if (ends) this.isOpen = false
    return ends || !(this.isOpen || changesNothing)
  }
}
