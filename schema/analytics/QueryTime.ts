import { Schema } from "effect"
import { Instant } from "../Instant.ts"
import { elsewhere, instead } from "../Elsewhere.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { TimeZoneName } from "../Text.ts"

export const Step = oneOf("hour", "day", "week", "month").annotations({ identifier: "Step" })
export type Step = typeof Step.Type

export const RelativeSpan = Schema.Struct({
  step: oneOf("minute", "hour", "day", "week", "month", "year"),
  value: Schema.Int.pipe(Schema.between(1, 1_000_000))
}).annotations({
  identifier: "RelativeSpan",
  description:
    "Goes back from now by so many steps, then to the start of the bucket: 7 days in buckets of a day are today and the seven days before"
})
export type RelativeSpan = typeof RelativeSpan.Type

const common = {
  step: withDefault(Step, "day"),
  timezone: optional(TimeZoneName)
}

const oneRange = "give either relative or from and to"

/** The range of a query and the width of its buckets. Without `timezone` the project's counts. */
export const QueryTime = Schema.Union(
  Schema.Struct({ ...common, relative: RelativeSpan }).annotations({
    ...elsewhere({ from: oneRange, to: oneRange }),
    ...instead({ relative: "from and to" })
  }),
  Schema.Struct({ ...common, from: Instant, to: Instant }).annotations(elsewhere({ relative: oneRange }))
).annotations({ identifier: "QueryTime" })
export type QueryTime = typeof QueryTime.Type

/** The range as it was resolved. */
export const ResolvedTime = Schema.Struct({
  from: Schema.DateTimeUtc,
  to: Schema.DateTimeUtc,
  step: Step,
  timezone: Schema.String
}).annotations({ identifier: "ResolvedTime" })
export type ResolvedTime = typeof ResolvedTime.Type
