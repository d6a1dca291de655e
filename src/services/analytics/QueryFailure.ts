import { DateTime, Effect, Either } from "effect"
import { DataDamaged, Overloaded, StorageFull, ValidationFailed } from "../../../schema/RequestErrors.ts"
import { TimeZoneUnknown } from "../../../schema/access/AccessErrors.ts"
import {
  QueryInvalid,
  QueryLimitExceeded,
  QueryTimeout,
  ReferenceInvalid,
  TimeRangeInvalid,
  TooManyQueries
} from "../../../schema/analytics/AnalyticsErrors.ts"
import type { Checked, QueryProblem } from "../../domain/analytics/question/QueryProblem.ts"
import type { AnswerMeta, Incomplete } from "../../domain/analytics/question/Question.ts"
import type { NoAnswer, StoreFull } from "../../ports/analytics/EventStore.ts"

/** How a question that cannot be asked is refused. */
export const queryFailure = ({ kind, message }: QueryProblem) => {
  switch (kind) {
    case "malformed":
      return new ValidationFailed({ message })
    case "invalid":
      return new QueryInvalid({ message })
    case "timeRange":
      return new TimeRangeInvalid({ message })
    case "reference":
      return new ReferenceInvalid({ message })
    case "timeZone":
      return new TimeZoneUnknown({ message })
    case "limit":
      return new QueryLimitExceeded({ message })
  }
}

const outOfTime = () =>
  Effect.fail(
    new QueryTimeout({ message: "The query took too long or too much memory: ask for a shorter time or fewer groups" })
  )
const overloaded = () => Effect.fail(new Overloaded({ message: "Too many queries wait: ask again in a moment" }))

const crowded = () =>
  Effect.fail(new TooManyQueries({ message: "Too many queries of this organization wait: ask again in a moment" }))

const damaged = () =>
  Effect.fail(
    new DataDamaged({
      message: "Some markers cannot be read, because the store is damaged: the log of the server names them"
    })
  )

const refusals = {
  StoreDamaged: damaged,
  QueryTimedOut: outOfTime,
  StoreOverloaded: overloaded,
  TooManyQuestions: crowded
}

/** The store's answer, or why it gives none. */
export const answered = <A>(asked: Effect.Effect<A, NoAnswer>) => Effect.catchTags(asked, refusals)

/** An answer that lacks nothing: for those that cannot say what they lack. */
export const complete = <A extends { readonly meta: AnswerMeta }, E>(found: Effect.Effect<A, E>) =>
  Effect.filterOrElse(found, (given) => given.meta.incomplete === null, damaged)

/** What an answer lacks, as its reader is told. */
export const incompleteOf = (lacking: Incomplete | null) =>
  lacking === null
    ? {}
    : {
        incomplete: {
          rows: lacking.rows,
          from: DateTime.unsafeMake(lacking.from),
          to: DateTime.unsafeMake(lacking.to)
        }
      }

const full = () => Effect.fail(new StorageFull({ message: "The disk of this server is full: nothing was stored" }))

/** What was written, or why nothing was. */
export const stored = <A>(written: Effect.Effect<A, NoAnswer | StoreFull>) =>
  Effect.catchTags(written, { ...refusals, StoreFull: full })

export const checked = <A>(outcome: Checked<A>) => Either.mapLeft(outcome, queryFailure)
