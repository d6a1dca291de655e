import { Either } from "effect"

/**
 * Why a question cannot be asked: it contradicts itself (invalid, formula, timeRange), names what is not there (reference, timeZone), or
 * is too large (limit).
 */
export type ProblemKind = "invalid" | "formula" | "timeRange" | "reference" | "timeZone" | "limit"

export interface QueryProblem {
  readonly kind: ProblemKind
  /** Names the field by its path and says what was expected. */
  readonly message: string
}

export type Checked<A> = Either.Either<A, QueryProblem>

export const problem = (kind: ProblemKind, message: string): Checked<never> => Either.left({ kind, message })
