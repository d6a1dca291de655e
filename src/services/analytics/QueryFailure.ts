import { Effect, Either } from "effect"
import { Overloaded, StorageFull, ValidationFailed } from "../../../schema/RequestErrors.ts"
import { TimeZoneUnknown } from "../../../schema/access/AccessErrors.ts"
import {
  QueryInvalid,
  QueryLimitExceeded,
  QueryTimeout,
  ReferenceInvalid,
  TimeRangeInvalid
} from "../../../schema/analytics/AnalyticsErrors.ts"
import type { Checked, QueryProblem } from "../../domain/analytics/question/QueryProblem.ts"
import type { QueryTimedOut, StoreFull, StoreOverloaded } from "../../ports/analytics/EventStore.ts"

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
  Effect.fail(new QueryTimeout({ message: "The query took too long: ask for less time or fewer groups" }))
const overloaded = () => Effect.fail(new Overloaded({ message: "Too many queries wait: ask again in a moment" }))

/** The store's answer, or why it gives none. */
export const answered = <A>(asked: Effect.Effect<A, QueryTimedOut | StoreOverloaded>) =>
  Effect.catchTags(asked, { QueryTimedOut: outOfTime, StoreOverloaded: overloaded })

const full = () => Effect.fail(new StorageFull({ message: "The disk of this server is full: nothing was stored" }))

/** What was written, or why nothing was. */
export const stored = <A>(written: Effect.Effect<A, QueryTimedOut | StoreOverloaded | StoreFull>) =>
  Effect.catchTags(written, { QueryTimedOut: outOfTime, StoreOverloaded: overloaded, StoreFull: full })

export const checked = <A>(outcome: Checked<A>) => Either.mapLeft(outcome, queryFailure)
