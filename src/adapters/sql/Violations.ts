import type { SqlClient } from "@effect/sql"
import { SqlError } from "@effect/sql/SqlError"
import type { Option } from "effect"
import { Effect, Predicate } from "effect"

/** The code by which a driver names a failure; empty where it has none. */
export const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

/** What SQLite and PostgreSQL answer where a row would name another that is not there. */
const broken: ReadonlySet<string> = new Set(["SQLITE_CONSTRAINT_FOREIGNKEY", "23503"])

/** Whether a statement failed because a row would name another that is not there: somebody else has removed or made one of them since both were looked for. */
export const breaksReference = ({ cause }: SqlError): boolean => broken.has(codeOf(cause))

/** What SQLite and PostgreSQL answer where a unique index refuses a row. */
const codes: ReadonlySet<string> = new Set(["SQLITE_CONSTRAINT_UNIQUE", "23505"])

const isDuplicate = (error: unknown): boolean => error instanceof SqlError && codes.has(codeOf(error.cause))

/**
 * Runs a write and answers none if a unique index refuses it. Any other failure is a defect. PostgreSQL goes on with a transaction after a
 * failure only where that was in a nested one.
 */
export const noneIfDuplicate = <A, E, R>(
  sql: SqlClient.SqlClient,
  write: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, never, R> =>
  sql.onDialectOrElse({ pg: () => sql.withTransaction(write), orElse: () => write }).pipe(
    Effect.asSome,
    Effect.catchIf(isDuplicate, () => Effect.succeedNone),
    Effect.orDie
  )
