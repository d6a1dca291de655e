import type { SqlError } from "@effect/sql/SqlError"
import { Context, type Effect } from "effect"

/** A statement that is prepared. Each call runs it at once, and fails as the driver does, which undoes the step. */
export interface StepStatement {
  readonly all: (values: ReadonlyArray<unknown>) => ReadonlyArray<object>
  /** Answers how many rows it has changed. */
  readonly change: (values: ReadonlyArray<unknown>) => number
}

type Work<A> = (statement: (sql: string) => StepStatement) => A

/**
 * Statements that run one after the other without a fiber in between, for what is asked most often or stores many rows: fibers are most of
 * what a short statement costs. Null for an engine that is asked over a network.
 */
export class OneStep extends Context.Tag("adapters/sql/OneStep")<
  OneStep,
  {
    /** Runs `work`, which changes nothing. Within a transaction it sees what that has written. */
    readonly read: <A>(work: Work<A>) => Effect.Effect<A, SqlError>
    /** Runs `work` as one transaction, or as a part of the one around it. */
    readonly transact: <A>(work: Work<A>) => Effect.Effect<A, SqlError>
  } | null
>() {}
