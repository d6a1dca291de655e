import { Either } from "effect"

/**
 * Why a query cannot be asked: its parts contradict each other (malformed, invalid, timeRange), it refers to something
 * that does not exist (reference, timeZone), or it is too large (limit).
 */
export type ProblemKind = "malformed" | "invalid" | "timeRange" | "reference" | "timeZone" | "limit"

export interface QueryProblem<Kind extends string = ProblemKind> {
  readonly kind: Kind
  /** Names the field by its path and says what was expected. */
  readonly message: string
}

export type Checked<A, Kind extends string = ProblemKind> = Either.Either<A, QueryProblem<Kind>>

/** A failed check. `message` names the field by its path and says what was expected. */
export const problem = <Kind extends string>(kind: Kind, message: string): Checked<never, Kind> =>
  Either.left({ kind, message })
