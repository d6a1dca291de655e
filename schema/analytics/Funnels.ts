import { Schema } from "effect"
import { Breakdown, filtering, grouping, MarkerNames } from "./Filters.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { BreakdownValues, ChosenBreakdown, chosenBreakdown, displayed, QueryMeta } from "./QueryAnswer.ts"
import { QueryTime, ResolvedTime } from "./QueryTime.ts"
import { text } from "../Text.ts"
import { example } from "../Example.ts"

const stepIndex = Schema.Int.pipe(Schema.between(0, 1000))

export const FunnelStep = Schema.Struct({
  id: text(1, 64),
  name: MarkerNames,
  ...filtering,
  optional: withDefault(Schema.Boolean, false)
}).annotations({ identifier: "FunnelStep" })
export type FunnelStep = typeof FunnelStep.Type

/** A marker that takes a unit out of the funnel when it comes strictly between two steps. */
export const FunnelExclusion = Schema.Struct({
  name: MarkerNames,
  ...filtering,
  fromStep: stepIndex,
  toStep: stepIndex
}).annotations({ identifier: "FunnelExclusion" })
export type FunnelExclusion = typeof FunnelExclusion.Type

export const ConversionWindow = Schema.Struct({
  step: oneOf("second", "minute", "hour", "day", "week", "month"),
  value: Schema.Int.pipe(Schema.between(1, 1_000_000_000))
}).annotations({ identifier: "ConversionWindow", description: "Absolute time from the first step; a month is 30 days" })
export type ConversionWindow = typeof ConversionWindow.Type

const fields = {
  time: QueryTime,
  steps: Schema.Array(FunnelStep).pipe(Schema.minItems(2)),
  conversionWindow: ConversionWindow,
  order: withDefault(oneOf("ordered", "strict", "unordered"), "ordered"),
  exclusions: withDefault(Schema.Array(FunnelExclusion).pipe(Schema.maxItems(32)), []),
  holdConstant: withDefault(Schema.Array(Breakdown).pipe(Schema.maxItems(4)), []),
  ...grouping,
  breakdownAttribution: withDefault(
    Schema.Union(oneOf("first", "last", "all"), Schema.Struct({ step: stepIndex })),
    "first"
  ),
  ...filtering,
  options: withDefault(
    Schema.Struct({
      display: optional(text(1, 64)),
      timeToConvert: optional(
        Schema.Struct({
          fromStep: optional(stepIndex),
          toStep: optional(stepIndex),
          bins: optional(Schema.Int.pipe(Schema.between(1, 100)))
        })
      )
    }),
    {}
  )
}

export const firstPurchase = {
  time: { relative: { step: "day", value: 28 } },
  steps: [
    { id: "join", name: "Login" },
    { id: "tutorial", name: "TutorialCompleted", optional: true },
    {
      id: "buy",
      name: "ItemBought",
      filters: [{ source: "argument", name: "price", operator: "greaterThan", value: 0 }]
    }
  ],
  conversionWindow: { step: "day", value: 7 }
} as const

export const FunnelQuery = Schema.Struct(fields)
  .annotations({
    identifier: "FunnelQuery",
    description:
      "At most 32 steps, counted from 0; `display: overTime` adds conversion by bucket of the first step, `display: timeToConvert` how long units took between two steps: from the first to the last and in 20 bins unless `timeToConvert` says other"
  })
  .pipe(example(firstPurchase))
export type FunnelQuery = typeof FunnelQuery.Type

/** Names one number of a funnel. */
const selection = {
  step: stepIndex,
  outcome: oneOf("converted", "dropped"),
  breakdown: withDefault(Schema.NullOr(ChosenBreakdown), null).annotations({
    description: `${chosenBreakdown}. null chooses everybody, whatever the breakdowns`
  }),
  bin: withDefault(Schema.NullOr(Schema.Int.pipe(Schema.between(0, 99))), null).annotations({
    description:
      "Of a query with `display: timeToConvert`: only players whose time is in this bin of the series, counted from 0. With `converted` at the step to which the time is told they are as many as the bin counts"
  })
}

const selected = "dropped at step k: reached k-1 and not k"

export const FunnelSelection = Schema.Struct(selection).annotations({
  identifier: "FunnelSelection",
  description: selected
})
export type FunnelSelection = typeof FunnelSelection.Type

export const FunnelUsersQuery = Schema.Struct({ ...fields, ...selection })
  .annotations({
    identifier: "FunnelUsersQuery",
    description: selected
  })
  .pipe(example({ ...firstPurchase, step: 2, outcome: "dropped" }))
export type FunnelUsersQuery = typeof FunnelUsersQuery.Type

/** What players did next, by the type of their first marker after the last step that they reached. */
export const FunnelNext = Schema.Struct({
  types: Schema.Array(Schema.Struct({ name: Schema.String, players: Schema.Int })),
  nothing: Schema.Int,
  total: Schema.Int
}).annotations({
  identifier: "FunnelNext",
  description: "The most frequent types first, at most 20; `nothing` are players without any marker since"
})
export type FunnelNext = typeof FunnelNext.Type

export const FunnelSeries = Schema.Struct({
  breakdown: BreakdownValues,
  steps: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: MarkerNames,
      count: Schema.Int,
      conversionFromPrevious: Schema.Number,
      conversionFromFirst: Schema.Number,
      averageSeconds: Schema.NullOr(Schema.Number),
      medianSeconds: Schema.NullOr(Schema.Number)
    })
  ),
  overallConversion: Schema.Number,
  timeToConvert: optional(
    Schema.Struct({
      count: Schema.Int,
      p25Seconds: Schema.NullOr(Schema.Number),
      medianSeconds: Schema.NullOr(Schema.Number),
      p75Seconds: Schema.NullOr(Schema.Number),
      bins: Schema.Array(Schema.Struct({ fromSeconds: Schema.Number, toSeconds: Schema.Number, count: Schema.Int }))
    })
  ),
  overTime: optional(
    Schema.Array(
      Schema.Struct({
        bucket: Schema.DateTimeUtc,
        entered: Schema.Int,
        converted: Schema.Int,
        rate: Schema.Number,
        complete: Schema.Boolean
      })
    )
  )
}).annotations({ identifier: "FunnelSeries", description: "Conversions and rates are in percent" })
export type FunnelSeries = typeof FunnelSeries.Type

export const FunnelResult = Schema.Struct({
  time: optional(ResolvedTime).annotations({
    description: "Missing only in the kept result of an execution that an earlier version ran"
  }),
  series: Schema.Array(FunnelSeries),
  ...displayed,
  meta: QueryMeta
}).annotations({ identifier: "FunnelResult" })
export type FunnelResult = typeof FunnelResult.Type

export const FunnelUser = Schema.Struct({
  unitId: Schema.String,
  times: Schema.Array(Schema.NullOr(Schema.DateTimeUtc))
}).annotations({ identifier: "FunnelUser" })
export type FunnelUser = typeof FunnelUser.Type
