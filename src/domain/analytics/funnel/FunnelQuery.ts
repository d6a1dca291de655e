import { Either } from "effect"
import { countOf } from "../time/Buckets.ts"
import { chosenGroup, type GroupRequest } from "../filter/ChosenGroup.ts"
import type { BreakdownRequest, FiltersRequest, SelectorRequest } from "../filter/FilterRequest.ts"
import { planBreakdowns, planDimensions, planFilter, planSelector } from "../filter/FilterRequest.ts"
import type { Attribution, Exclusion, FunnelAnswer, FunnelPlan, FunnelStep, FunnelUnitsPlan } from "./FunnelPlan.ts"
import { type FunnelFault, funnelFault } from "./FunnelRules.ts"
import { type Checked, problem } from "../question/QueryProblem.ts"
import { type Asking, type TimeQuery, maximumPoints, planTime } from "../time/TimeQuery.ts"
import type { TimeToConvertPlan } from "./TimeToConvert.ts"
import { unitMillis } from "../../Durations.ts"

export interface FunnelStepRequest extends SelectorRequest {
  readonly id: string
  readonly optional: boolean
}

export interface ExclusionRequest extends SelectorRequest {
  readonly fromStep: number
  readonly toStep: number
}

export interface FunnelQuery extends FiltersRequest {
  readonly time: TimeQuery
  readonly steps: ReadonlyArray<FunnelStepRequest>
  readonly conversionWindow: { readonly step: keyof typeof unitMillis; readonly value: number }
  readonly order: "ordered" | "strict" | "unordered"
  readonly exclusions: ReadonlyArray<ExclusionRequest>
  readonly holdConstant: ReadonlyArray<BreakdownRequest>
  readonly breakdowns: ReadonlyArray<BreakdownRequest>
  readonly breakdownLimit: number
  readonly breakdownAttribution: "first" | "last" | "all" | { readonly step: number }
  readonly options: {
    readonly display?: string | undefined
    readonly timeToConvert?: Partial<TimeToConvertPlan> | undefined
  }
}

export interface FunnelUnitsQuery extends FunnelQuery {
  readonly step: number
  readonly outcome: "converted" | "dropped"
  /** Null: everybody, whatever the breakdowns. */
  readonly breakdown: GroupRequest | null
  /** Of the bins of the times to convert, from 0; null: whatever the time. */
  readonly bin: number | null
}

const maximumSteps = 32

const planStep = (step: FunnelStepRequest, index: number): Checked<FunnelStep> =>
  Either.map(planSelector(step, `steps.${index}.`), (selector) => ({ selector, optional: step.optional }))

const planExclusion = (exclusion: ExclusionRequest, index: number): Checked<Exclusion> => {
  const { fromStep, toStep } = exclusion
  return Either.map(planSelector(exclusion, `exclusions.${index}.`), (selector) => ({ selector, fromStep, toStep }))
}

const explain = (fault: FunnelFault, last: number): Checked<never> => {
  switch (fault._tag) {
    case "StepCount":
      return problem("limit", `steps: 2 to ${maximumSteps}`)
    case "OptionalEnd":
      return problem("invalid", `steps.${fault.step}.optional: the first and the last step are mandatory`)
    case "OptionalUnordered":
      return problem("invalid", `steps.${fault.step}.optional: an unordered funnel has no optional steps`)
    case "ExclusionSteps":
      return problem("malformed", `exclusions.${fault.exclusion}: expected 0 <= fromStep < toStep <= ${last}`)
    case "ExclusionUnordered":
      return problem("malformed", `exclusions.${fault.exclusion}: in an unordered funnel it spans steps 0 to ${last}`)
    case "ExclusionIsStep":
      return problem("malformed", `exclusions.${fault.exclusion}: it is step ${fault.step}, which it spans`)
    case "AttributionStep":
      return problem("invalid", `breakdownAttribution.step: expected a step from 0 to ${last}`)
  }
}

/** Index of the first step whose id an earlier one has; -1 if there is none. */
const repeatedId = (steps: ReadonlyArray<FunnelStepRequest>): number =>
  steps.findIndex(({ id }, index) => steps.findIndex((step) => step.id === id) < index)

const attributionOf = ({ breakdownAttribution }: FunnelQuery): Attribution =>
  typeof breakdownAttribution === "string"
    ? { type: breakdownAttribution }
    : { type: "step", step: breakdownAttribution.step }

const standardBins = 20

/** Nothing unless the query is displayed as times to convert: from the first step to the last unless it names others. */
const planTimes = ({ options, steps }: FunnelQuery): Checked<{ readonly timeToConvert?: TimeToConvertPlan }> => {
  if (options.display !== "timeToConvert") return Either.right({})
  const last = steps.length - 1
  const { fromStep = 0, toStep = last, bins = standardBins } = options.timeToConvert ?? {}
  return fromStep < toStep && toStep <= last
    ? Either.right({ timeToConvert: { fromStep, toStep, bins } })
    : problem("malformed", `options.timeToConvert: expected 0 <= fromStep < toStep <= ${last}`)
}

/** Plans a funnel query, or tells why it cannot be asked. */
export const planFunnel = (query: FunnelQuery, asking: Asking): Checked<FunnelPlan> =>
  Either.gen(function* () {
    const { order, conversionWindow, options } = query
    const time = yield* planTime(query.time, asking)
    const plan: FunnelPlan = {
      range: time.range,
      steps: yield* Either.all(query.steps.map(planStep)),
      order,
      window: Math.min(conversionWindow.value * unitMillis[conversionWindow.step], Number.MAX_SAFE_INTEGER),
      exclusions: yield* Either.all(query.exclusions.map(planExclusion)),
      holdConstant: yield* planDimensions(query.holdConstant, "holdConstant"),
      filter: yield* planFilter(query, ""),
      breakdowns: yield* planBreakdowns(query.breakdowns),
      breakdownLimit: query.breakdownLimit,
      attribution: attributionOf(query),
      overTime: options.display === "overTime" ? time.buckets : null,
      ...(yield* planTimes(query))
    }
    const fault = funnelFault(plan)
    if (fault !== null) return yield* explain(fault, query.steps.length - 1)
    const repeated = repeatedId(query.steps)
    if (repeated !== -1) return yield* problem("invalid", `steps.${repeated}.id: an earlier step has the same id`)
    return plan
  })

/** Refuses an answer of more than `maximumPoints` points. */
export const checkFunnelSize = (
  { steps, overTime, timeToConvert: times }: FunnelPlan,
  { series }: FunnelAnswer
): Checked<void> =>
  series.length * (steps.length + (times?.bins ?? 0) + (overTime === null ? 0 : countOf(overTime))) > maximumPoints
    ? problem("limit", `breakdowns: more than ${maximumPoints} points in the result`)
    : Either.void

const planBin = ({ bin }: FunnelUnitsQuery, { timeToConvert: times }: FunnelPlan): Checked<number | null> => {
  if (bin === null) return Either.right(null)
  if (times === undefined) return problem("invalid", "bin: only a query with options.display: timeToConvert has bins")
  return bin < times.bins ? Either.right(bin) : problem("invalid", `bin: expected a bin from 0 to ${times.bins - 1}`)
}

/** Plans one page of the units behind a number of a funnel, or tells why it cannot be asked. */
export const planFunnelUnits = (
  query: FunnelUnitsQuery,
  page: { readonly after: string | null; readonly limit: number },
  asking: Asking
): Checked<FunnelUnitsPlan> => {
  const { step, outcome, steps, breakdown } = query
  const first = outcome === "dropped" ? 1 : 0
  if (step < first || step >= steps.length) {
    return problem("invalid", `step: expected a step from ${first} to ${steps.length - 1}`)
  }
  return Either.gen(function* () {
    const funnel = yield* planFunnel(query, asking)
    const group = breakdown === null ? null : yield* chosenGroup(funnel.breakdowns, breakdown, "breakdown")
    return { funnel, step, outcome, group, bin: yield* planBin(query, funnel), ...page }
  })
}
