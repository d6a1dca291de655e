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

const commits = /^\s*commit\b/i

/** Statements whose changes SQLite counts. */
const counted = /^\s*(?:insert|update|delete|replace|with)\b/i

/** What a connection asks before and tells after its statements. */
export interface StatementWatch {
  /** Why nothing may be written now; null while it may. */
  readonly refusal: () => Effect.Effect<never> | null
  /** What becomes of a statement that SQLite refuses. */
  readonly failed: (error: SqlError) => Effect.Effect<never, SqlError>
  /**
   * Called after each commit: after a write that stands for itself, and after the end of a transaction. What it answers is called once that is
   * on disk, before whoever made the commit goes on. What either throws is tried again by the next commit, and fails no write.
   */
  readonly onCommit: () => () => void
  /** Lets a statement wait its turn where somebody else holds the connection; null while nobody does. */
  readonly turn: () => (<A>(statement: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>) | null
}

/** Lets a watch fail where it can fail no write. */
const quietly = (told: () => void): void => void Either.try(told)

interface Prepared {
  readonly statement: Database.Statement<Array<unknown>, never>
  readonly changesNothing: boolean
  readonly begins: boolean
  readonly ends: boolean
  readonly commits: boolean
  /** Whether it may change something that SQLite does not count. */
  readonly isUncounted: boolean
}

const rowsOf = (statement: Prepared["statement"], params: ReadonlyArray<unknown>): ReadonlyArray<never> => {
  if (statement.reader) return statement.all(...params)
  statement.run(...params)
  return []
}

type Work<A> = (statement: (sql: string) => StepStatement) => A

const failureOf = (cause: unknown) => new SqlError({ cause, message: "Failed to execute statement" })

/** What is written from then on would be lost with the power: only a start finds out what the disk has. */
const unsynced = (failure: Error) =>
  failureOf(
    new Error(`the disk has failed to keep its log (${failure.message}): start the server again`, { cause: failure })
  )

/**
 * A database whose statements run within one step each, since metadata takes many of them: every further step would cost as much as a short one.
 * What is committed is on disk when the effect that committed it ends. Others go on meanwhile; what they read of it, where nobody holds the
 * connection, may be lost with the power before it was told to whoever has written it.
 */
export class DirectConnection {
  private readonly db: Database.Database
  /** Null for a database in memory. */
  private readonly log: LogSync | null
  private readonly prepared = new Map<string, Prepared>()
  private readonly changes: Database.Statement<[], number>
  private isOpen = false
  /** What `changes` told at the last commit; null where a statement has run since that it does not count. */
  private changesKept: number | null = null

  /** `database`: that of the file, or one in memory. */
  constructor(filename: string, log: LogSync = new LogSync(`${filename}-wal`), database = new Database(filename)) {
    this.db = database
    this.db.pragma("journal_mode = wal")
    // Commits do not wait for the disk in this thread: `synced` waits for it, and does not keep the thread.
    this.db.pragma("synchronous = normal")
    this.changes = this.db.prepare<[], number>("select total_changes()").pluck()
    this.log = this.db.memory ? null : log
  }

  close(): void {
    this.log?.close()
    this.db.close()
  }

  /** Runs `work`, which changes nothing, in one step, once nobody else holds the connection. */
  read<A>(watch: StatementWatch, work: Work<A>): Effect.Effect<A, SqlError> {
    const now = Effect.suspend(() => {
      const done = Either.try({ try: () => work(this.statementOf), catch: failureOf })
      return Either.isRight(done) ? Effect.succeed(done.right) : watch.failed(done.left)
    })
    return Effect.suspend(() => watch.turn()?.(now) ?? now)
  }

  /** The same for writes, which are one transaction. */
  transact<A>(watch: StatementWatch, work: Work<A>): Effect.Effect<A, SqlError> {
    const now = Effect.suspend(() => this.runAll(watch, work))
    return Effect.suspend(() => watch.turn()?.(now) ?? now)
  }

  /** The connection as those use it for whom `watch` watches. */
  of(watch: StatementWatch): Connection {
    const step = <A>(sql: string, run: (statement: Prepared["statement"]) => A): Effect.Effect<A, SqlError> => {
      const now: Effect.Effect<A, SqlError> = Effect.suspend(() => this.run(watch, sql, run))
      return Effect.suspend(() => {
        const waiting = watch.turn()
        return waiting === null ? this.run(watch, sql, run) : waiting(now)
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

  /** The statement, which is about to run. */
  private prepare(sql: string): Prepared {
    const known = this.prepared.get(sql)
    const found = known ?? {
      statement: this.db.prepare<Array<unknown>, never>(sql),
      changesNothing: changesNothing.test(sql),
      begins: begins.test(sql),
      ends: endsTransaction.test(sql),
      commits: commits.test(sql),
      isUncounted: !changesNothing.test(sql) && !counted.test(sql)
    }
    if (known !== undefined) this.prepared.delete(sql)
    this.prepared.set(sql, found)
    const [oldest] = this.prepared.keys()
    if (this.prepared.size > mostPrepared && oldest !== undefined) this.prepared.delete(oldest)
    if (found.isUncounted) this.changesKept = null
    return found
  }

  private run<A>(
    watch: StatementWatch,
    sql: string,
    run: (statement: Prepared["statement"]) => A
  ): Effect.Effect<A, SqlError> {
    const refused = changesNothing.test(sql) ? null : this.refusal(watch)
    if (refused !== null) return refused
    const done = Either.try({
      try: () => {
        const prepared = this.prepare(sql)
        const result = run(prepared.statement)
        return { result, waits: this.isCommitted(prepared) && this.needsDisk() }
      },
      catch: failureOf
    })
    if (Either.isLeft(done)) return watch.failed(done.left)
    const { result, waits } = done.right
    return waits ? Effect.as(this.synced(watch), result) : Effect.succeed(result)
  }

  private readonly statementOf = (sql: string): StepStatement => {
    const { statement } = this.prepare(sql)
    return { all: (values) => statement.all(...values), change: (values) => statement.run(...values).changes }
  }

  private runAll<A>(watch: StatementWatch, work: Work<A>): Effect.Effect<A, SqlError> {
    const refused = this.refusal(watch)
    if (refused !== null) return refused
    const isOutermost = !this.db.inTransaction
    const run = () => this.db.transaction(() => work(this.statementOf)).immediate()
    const done = Either.try({ try: run, catch: failureOf })
    if (Either.isLeft(done)) return watch.failed(done.left)
    const waits = isOutermost && this.needsDisk()
    return waits ? Effect.as(this.synced(watch), done.right) : Effect.succeed(done.right)
  }

  private refusal(watch: StatementWatch): Effect.Effect<never, SqlError> | null {
    const failure = this.log?.failure ?? null
    return failure === null ? watch.refusal() : watch.failed(unsynced(failure))
  }

  /** Tells who watches that something is committed, and ends when that is on disk. */
  private synced(watch: StatementWatch): Effect.Effect<void, SqlError> {
    const onDisk = Option.getOrElse(Option.liftThrowable(watch.onCommit)(), () => () => undefined)
    const { log } = this
    if (log === null) return Effect.sync(() => quietly(onDisk))
    const waiting = Effect.matchEffect(log.synced, {
      onFailure: (failure) => watch.failed(unsynced(failure)),
      onSuccess: () => Effect.sync(() => quietly(onDisk))
    })
    return Effect.uninterruptible(waiting)
  }

  /**
   * Whether a commit has to wait for the disk: it has brought something into the log, or it has not, because of what somebody else has written that is
   * not on the disk yet.
   */
  private needsDisk(): boolean {
    const changes = this.changes.get() ?? null
    const hasChanged = changes === null || changes !== this.changesKept
    this.changesKept = changes
    return hasChanged || this.log?.isBehind === true
  }

  /** Whether a statement that has run has ended a transaction, or stands for itself and writes. */
  private isCommitted({ begins, ends, commits, changesNothing }: Prepared): boolean {
    if (begins) this.isOpen = true
    if (ends) this.isOpen = false
    return commits || !(this.isOpen || changesNothing)
  }
}
