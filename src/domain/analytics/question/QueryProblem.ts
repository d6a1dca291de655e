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

/** Problems that one message names; of any others it says how many there are. */
const mostNamed = 20

const united = <Kind extends string>(problems: ReadonlyArray<QueryProblem<Kind>>): QueryProblem<Kind> | undefined => {
  const [first] = problems
  if (first === undefined || problems.length === 1) return first
  const messages = [...new Set(problems.map(({ message }) => message))]
  const more = messages.length - mostNamed
  const named = messages.slice(0, mostNamed).join("; ")
  return { kind: first.kind, message: more > 0 ? `${named}; and ${more} more` : named }
}

const problemsOf = <Kind extends string>(
  checks: ReadonlyArray<Checked<unknown, Kind>>
): ReadonlyArray<QueryProblem<Kind>> => checks.flatMap((check) => (Either.isLeft(check) ? [check.left] : []))

/**
 * The results of checks by name, if all have succeeded. Otherwise one problem of the kind of the first, whose message names the problems of
 * all, so that a caller can mend them at once.
 */
export const together = <Kind extends string, Checks extends Readonly<Record<string, Checked<unknown, Kind>>>>(
  checks: Checks & Readonly<Record<string, Checked<unknown, Kind>>>
) => {
  const problem = united(problemsOf(Object.values(checks)))
  return problem === undefined ? Either.all<Checks>(checks) : Either.left(problem)
}

/** As `together`, for checks of the items of a list. */
export const eachOf = <A, Kind extends string>(
  checks: ReadonlyArray<Checked<A, Kind>>
): Checked<ReadonlyArray<A>, Kind> => {
  const problem = united(problemsOf(checks))
  return problem === undefined ? Either.all(checks) : Either.left(problem)
}

/** A problem whose message also names those that other checks have found. */
export const beside = <Kind extends string>(
  failed: QueryProblem<Kind>,
  ...others: ReadonlyArray<Checked<unknown, Kind>>
): Checked<never, Kind> => Either.left(united([failed, ...problemsOf(others)]) ?? failed)
