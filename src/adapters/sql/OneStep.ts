import type { SqlError } from "@effect/sql/SqlError"
import { Context, type Effect } from "effect"

/** A statement that is prepared. Each call runs it at once, and fails as the driver does, which undoes the step. */
export interface StepStatement {
  readonly all: (values: ReadonlyArray<unknown>) => ReadonlyArray<object>
  /** Answers how many rows it has changed. */
  readonly change: (values: ReadonlyArray<unknown>) => number
}

/**
 * Transactions whose statements run one after the other without a fiber in between, for what stores many rows: that is most of what a short
 * statement costs. Null for an engine that is asked over a network.
 */
export class OneStep extends Context.Tag("adapters/sql/OneStep")<
  OneStep,
  {
    /** Runs `work` as one transaction. Not to be called within another one, for which it would wait. */
    readonly transact: <A>(work: (statement: (sql: string) => StepStatement) => A) => Effect.Effect<A, SqlError>
  } | null
>() {}
