import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { StoreFull } from "../../ports/analytics/EventStore.ts"
import { MetadataUnavailable } from "../../ports/operations/MetadataUnavailable.ts"
import { ReferencesChanged } from "../../ports/operations/ReferencesChanged.ts"
import { breaksReference, codeOf } from "../sql/Violations.ts"

/** Codes of PostgreSQL itself; the driver and the operating system have others. */
const ofServer = /^[0-9FHPX][0-9A-Z]{4}$/

const diskFull = "53100"

/**
 * The connection (08), too few resources (53), somebody else's shutdown or a statement that took too long (57), a lock that another
 * transaction holds (40, 55P03), and a standby, which takes no writes (25006).
 */
const passing = /^(?:08|53|57|40)...$|^55P03$|^25006$/

/** Whether the same statement may succeed a moment later, or on another machine. */
export const isUnavailable = (cause: unknown): boolean => {
  const code = codeOf(cause)
  return !ofServer.test(code) || passing.test(code)
}

/** The defect that stands for a statement that failed. */
export const unavailableOr = (error: SqlError) =>
  Effect.die(isUnavailable(error.cause) ? new MetadataUnavailable() : error)

/** Whether a statement failed for want of space. */
export const isDiskFull = ({ cause }: SqlError): boolean => codeOf(cause) === diskFull

/** What the driver says of a statement that failed. */
export const reasonOf = ({ cause }: SqlError): string => (cause instanceof Error ? cause.message : String(cause))

/** The same as a sentence for operators. */
export const unusableText = (error: SqlError): string => `PostgreSQL cannot be used: ${reasonOf(error)}`

/**
 * Turns a database that cannot be reached, and a row that would name a removed one, into defects that callers higher up recognise: no single caller
 * could handle them. The log tells once that the database cannot be reached, and once that this is over.
 */
export const orUnavailable = () => {
  let isDown = false
  const down = (error: SqlError) =>
    Effect.suspend(() => {
      if (isDown) return Effect.void
      isDown = true
      return Effect.logError(unusableText(error))
    })
  const up = Effect.suspend(() => {
    if (!isDown) return Effect.void
    isDown = false
    return Effect.logInfo("PostgreSQL can be used again")
  })
  return <A, R>(statement: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> =>
    Effect.zipLeft(statement, up).pipe(
      Effect.catchIf(isDiskFull, () => Effect.die(new StoreFull())),
      Effect.catchIf(breaksReference, () => Effect.die(new ReferencesChanged())),
      Effect.catchIf(
        ({ cause }) => isUnavailable(cause),
        (error) => Effect.zipRight(down(error), Effect.die(new MetadataUnavailable()))
      )
    )
}
