import { Schema } from "effect"
import { CohortId, ExperimentId, QueryId } from "../../src/domain/Ids.ts"
import { MarkerNames } from "../analytics/Filters.ts"
import { oneOf, withDefault } from "../Optional.ts"
import { text } from "../Text.ts"

const least = (standard: number) =>
  withDefault(Schema.Int.pipe(Schema.between(0, 1_000_000_000)), standard).annotations({
    description:
      "Nothing is judged of less: of a count that is less expected, of a share of fewer who enter. Sums and averages are always judged"
  })

const falseOnceInWeeks = withDefault(Schema.Int.pipe(Schema.between(1, 520)), 13).annotations({
  description: "Where nothing has changed, the alert is false once in so many weeks at most, on average"
})

const ChangeCondition = Schema.Struct({
  kind: Schema.Literal("change"),
  direction: withDefault(oneOf("drop", "rise", "either"), "either"),
  percent: withDefault(Schema.JsonNumber.pipe(Schema.between(1, 1000)), 10).annotations({
    description: "The least change that is told, in percent of what is expected"
  }),
  weeks: withDefault(Schema.Int.pipe(Schema.between(2, 8)), 4).annotations({
    description: "Past weeks with whose same hours, or days, it is compared"
  }),
  minimumSample: least(100),
  falseOnceInWeeks
}).annotations({ identifier: "AlertChange" })

const limit = withDefault(Schema.NullOr(Schema.JsonNumber), null)

const ThresholdCondition = Schema.Struct({
  kind: Schema.Literal("threshold"),
  above: limit,
  below: limit,
  minimumSample: least(100),
  falseOnceInWeeks
})
  .pipe(
    Schema.filter(({ above, below }) => above !== null || below !== null, {
      message: () => "expected above, below or both",
      jsonSchema: {}
    })
  )
  .annotations({
    identifier: "AlertThreshold",
    description:
      "A value above `above` or below `below`; a share is given from 0 to 1, and the whole interval around it has to lie there",
    arbitrary: () => (fc) =>
      fc.record({
        kind: fc.constant("threshold" as const),
        above: fc.double({ min: 0, max: 1, noNaN: true }),
        below: fc.constant(null),
        minimumSample: fc.nat(1000),
        falseOnceInWeeks: fc.integer({ min: 1, max: 520 })
      })
  })

export const AlertCondition = Schema.Union(ChangeCondition, ThresholdCondition).annotations({
  identifier: "AlertCondition"
})

const windows = {
  queryId: QueryId,
  every: withDefault(oneOf("hour", "day"), "hour").annotations({ description: "The windows that are judged" }),
  condition: AlertCondition
}

const experiment = {
  experimentId: withDefault(Schema.NullOr(ExperimentId), null).annotations({
    description: "null: every experiment that runs"
  })
}

/** What an alert watches. */
export const AlertWatch = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("query"),
    ...windows,
    metricId: withDefault(Schema.NullOr(text(1, 32)), null).annotations({
      description: "Of the saved insight; null: the first that is visible. Breakdowns are left out"
    })
  }),
  Schema.Struct({
    kind: Schema.Literal("funnelStep"),
    ...windows,
    step: Schema.Int.pipe(Schema.between(1, 31)).annotations({
      description:
        "Of the saved funnel, counted from 0: the share that reaches it within an hour, or a day, of entering, or within the funnel's own window if that is shorter"
    })
  }),
  Schema.Struct({
    kind: Schema.Literal("silence"),
    names: MarkerNames,
    minutes: Schema.Int.pipe(Schema.between(5, 10_080)).annotations({
      description: "No marker of these types arrived for so long"
    })
  }),
  Schema.Struct({ kind: Schema.Literal("guardrail"), ...experiment }),
  Schema.Struct({ kind: Schema.Literal("sampleRatio"), ...experiment }),
  Schema.Struct({
    kind: Schema.Literal("cohort"),
    cohortId: withDefault(Schema.NullOr(CohortId), null).annotations({ description: "null: every cohort" })
  })
).annotations({ identifier: "AlertWatch" })
export type AlertWatch = typeof AlertWatch.Type
