import { Schema } from "effect"
import { ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { ExperimentStatus } from "./ExperimentRecord.ts"
import { Instant } from "../Instant.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { text } from "../Text.ts"

/** Of the units first exposed from `from` on, and before `to`, what they did before `to`: the end of an experiment that has ended, else now. */
export const ResultsQuery = Schema.Struct({
  from: optional(Instant),
  to: optional(Instant),
  metric: optional(text(1, 64)),
  correction: withDefault(oneOf("holm", "benjaminiHochberg"), "holm"),
  prior: withDefault(oneOf("flat", "normal"), "flat"),
  multipleExposure: withDefault(oneOf("exclude", "first"), "exclude")
})
export type ResultsQuery = typeof ResultsQuery.Type

const number = Schema.NullOr(Schema.Number)
const interval = Schema.NullOr(Schema.Tuple(Schema.Number, Schema.Number))
const intervals = { interval, absoluteInterval: interval }

const ratioCheck = {
  observed: Schema.Array(Schema.Number),
  expected: Schema.Array(Schema.Number),
  chiSquare: Schema.Number,
  pValue: Schema.Number,
  verdict: oneOf("insufficient", "healthy", "warning", "unhealthy")
}

/** Whether groups got the shares their weights promised; counts are by ordinal. */
export const SampleRatioCheck = Schema.Struct({
  ...ratioCheck,
  phases: Schema.Array(Schema.Struct({ from: Schema.DateTimeUtc, ...ratioCheck }))
}).annotations({ identifier: "SampleRatioCheck" })
export type SampleRatioCheck = typeof SampleRatioCheck.Type

const Cuped = Schema.Struct({
  theta: Schema.Number,
  unitsWithPriorData: Schema.Int,
  absolute: number,
  relative: number,
  frequentist: Schema.Struct({ pValue: number, ...intervals }),
  sequential: Schema.Struct({ pValue: number, ...intervals })
}).annotations({ identifier: "CupedComparison" })

/**
 * A group against the control. `interval` is of the relative effect, and null where a group does not vary or the control's mean is 0;
 * p-values are those of the absolute one. Risk is that of the control and of the group.
 */
export const MetricComparison = Schema.Struct({
  controlGroupId: ExperimentGroupId,
  groupId: ExperimentGroupId,
  absolute: number,
  relative: number,
  frequentist: Schema.Struct({
    statistic: number,
    degreesOfFreedom: number,
    pValue: number,
    adjustedPValue: number,
    ...intervals
  }),
  sequential: Schema.Struct({ pValue: number, ...intervals }),
  bayesian: Schema.Struct({
    chanceToWin: number,
    risk: Schema.NullOr(Schema.Tuple(Schema.Number, Schema.Number)),
    ...intervals
  }),
  cuped: Schema.NullOr(Cuped),
  verdict: oneOf("collecting", "unhealthy", "winning", "losing", "inconclusive")
}).annotations({ identifier: "MetricComparison" })
export type MetricComparison = typeof MetricComparison.Type

export const MetricGroup = Schema.Struct({
  groupId: ExperimentGroupId,
  n: Schema.Int,
  mean: number,
  variance: number,
  numerator: optional(Schema.Number),
  denominator: optional(Schema.Number)
}).annotations({ identifier: "MetricGroup" })
export type MetricGroup = typeof MetricGroup.Type

const day = Schema.Struct({
  bucket: Schema.DateTimeUtc,
  groups: Schema.Array(Schema.Struct({ groupId: ExperimentGroupId, n: Schema.Int, mean: number })),
  comparisons: Schema.Array(Schema.Struct({ groupId: ExperimentGroupId, relative: number, interval }))
})

export const MetricResult = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  type: oneOf("proportion", "mean", "ratio", "retention", "funnel"),
  role: oneOf("goal", "guardrail"),
  direction: oneOf("increase", "decrease").annotations({ description: "Which change is better" }),
  groups: Schema.Array(MetricGroup),
  comparisons: Schema.Array(MetricComparison),
  overTime: Schema.Array(day)
}).annotations({
  identifier: "MetricResult",
  description:
    "overTime is cumulative by the day of the first exposure, one entry a day; a metric whose saved query cannot be asked has no groups"
})
export type MetricResult = typeof MetricResult.Type

const MetricPower = Schema.Struct({
  id: Schema.String,
  minimumDetectableEffect: number,
  unitsPerGroup: Schema.NullOr(Schema.Int),
  daysToGo: Schema.NullOr(Schema.Int)
}).annotations({
  identifier: "MetricPower",
  description:
    "Of the groups that were not dropped: the relative effect that the units of the smallest one can find, the units per group that the largest effect seen takes, and the days until the smallest group that still enrols has them at the pace so far"
})

const ScorecardGroup = Schema.Struct({
  groupId: ExperimentGroupId,
  name: Schema.String,
  isControl: Schema.Boolean,
  dropped: Schema.Boolean
}).annotations({ identifier: "ScorecardGroup" })

const Schedule = Schema.Struct({
  startsAt: Schema.DateTimeUtc,
  endsAt: Schema.NullOr(Schema.DateTimeUtc),
  daysElapsed: Schema.Number,
  daysExposed: Schema.Number,
  daysLeft: Schema.NullOr(Schema.Number)
}).annotations({
  identifier: "ScorecardSchedule",
  description:
    "Days are of 24 hours, since the start, since the first exposure, and until the planned end; none are left once the experiment has ended"
})

export const Scorecard = Schema.Struct({
  experimentId: ExperimentId,
  status: ExperimentStatus,
  asOf: Schema.DateTimeUtc,
  schedule: Schedule,
  groups: Schema.Array(ScorecardGroup),
  exposures: Schema.Array(Schema.Struct({ groupId: ExperimentGroupId, units: Schema.Int })),
  multipleExposure: Schema.Struct({ units: Schema.Int, share: Schema.Number }),
  srm: SampleRatioCheck,
  metrics: Schema.Array(MetricResult),
  power: Schema.Struct({
    alpha: Schema.Number,
    power: Schema.Number,
    metrics: Schema.Array(MetricPower)
  })
}).annotations({ identifier: "Scorecard" })
export type Scorecard = typeof Scorecard.Type
