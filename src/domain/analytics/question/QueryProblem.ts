import { Either } from "effect"

/**
 * Why a question cannot be asked: its parts do not fit together (malformed, invalid, timeRange), it names what is not there
 * (reference, timeZone), or it is too large (limit).
 */
export type ProblemKind = "malformed" | "invalid" | "timeRange" | "reference" | "timeZone" | "limit"

export interface QueryProblem<Kind extends string = ProblemKind> {
  readonly kind: Kind
  /** Names the field by its path and says what was expected. */
  readonly message: string
}

export type Checked<A, Kind extends string = ProblemKind> = Either.Either<A, QueryProblem<Kind>>

export const problem = <Kind extends string>(kind: Kind, message: string): Checked<never, Kind> =>
  Either.left({ kind, message })
