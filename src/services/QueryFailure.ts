import { Either } from "effect"
import { QueryInvalid, QueryLimitExceeded, ReferenceInvalid, TimeRangeInvalid } from "../../schema/AnalyticsErrors.ts"
import { TimeZoneUnknown, ValidationFailed } from "../../schema/Errors.ts"
import type { Checked, QueryProblem } from "../domain/analytics/QueryProblem.ts"

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

export const checked = <A>(outcome: Checked<A>) => Either.mapLeft(outcome, queryFailure)
