import { Either } from "effect"
import { countOf } from "../time/Buckets.ts"
import { chosenGroup, type GroupRequest } from "../filter/ChosenGroup.ts"
import type { BreakdownRequest, FiltersRequest, SelectorRequest } from "../filter/FilterRequest.ts"
import { planBreakdowns, planDimensions, planFilter, planSelector } from "../filter/FilterRequest.ts"
import type { Attribution, Exclusion, FunnelAnswer, FunnelPlan, FunnelStep, FunnelUnitsPlan } from "./FunnelPlan.ts"
import { type FunnelFault, funnelFault } from "./FunnelRules.ts"
import { beside, type Checked, eachOf, problem, together } from "../question/QueryProblem.ts"
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
      return problem("limit", `steps: expected 2 to ${maximumSteps}`)
    case "OptionalEnd":
      return problem("invalid", `steps.${fault.step}.optional: the first and the last step are mandatory`)
    case "OptionalUnordered":
      return problem("invalid", `steps.${fault.step}.optional: an unordered funnel has no optional steps`)
    case "ExclusionSteps":
      return problem("malformed", `exclusions.${fault.exclusion}: expected 0 <= fromStep < toStep <= ${last}`)
    case "ExclusionUnordered":
      return problem("malformed", `exclusions.${fault.exclusion}: in an unordered funnel it spans steps 0 to ${last}`)
    case "ExclusionIsStep":
      return problem(
        "malformed",
        `exclusions.${fault.exclusion}: it selects the markers of step ${fault.step}, which lies in what it spans`
      )
    case "AttributionStep":
      return problem("invalid", `breakdownAttribution.step: expected a step from 0 to ${last}`)
  }
}

const checkIds = (steps: ReadonlyArray<FunnelStepRequest>): Checked<void> => {
  const known = new Set<string>()
  const repeated: Array<Checked<void>> = []
  for (const [index, { id }] of steps.entries()) {
    if (known.has(id)) repeated.push(problem("invalid", `steps.${index}.id: an earlier step has the same id`))
    known.add(id)
  }
  return Either.map(eachOf(repeated), () => undefined)
}

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
    const ids = checkIds(query.steps)
    const planned = together({
      time: planTime(query.time, asking),
      steps: eachOf(query.steps.map(planStep)),
      exclusions: eachOf(query.exclusions.map(planExclusion)),
      holdConstant: planDimensions(query.holdConstant, "holdConstant"),
      filter: planFilter(query, ""),
      breakdowns: planBreakdowns(query.breakdowns),
      times: planTimes(query)
    })
    if (Either.isLeft(planned)) return yield* beside(planned.left, ids)
    const { time, times, ...parts } = planned.right
    const plan: FunnelPlan = {
      ...parts,
      range: time.range,
      order,
      window: Math.min(conversionWindow.value * unitMillis[conversionWindow.step], Number.MAX_SAFE_INTEGER),
      breakdownLimit: query.breakdownLimit,
      attribution: attributionOf(query),
      overTime: options.display === "overTime" ? time.buckets : null,
      ...times
    }
    const fault = funnelFault(plan)
    const sound = fault === null ? Either.void : explain(fault, query.steps.length - 1)
    return yield* Either.map(together({ sound, ids }), () => plan)
  })

/** Refuses an answer of more than `maximumPoints` points. */
export const checkFunnelSize = (
  { steps, overTime, timeToConvert: times }: FunnelPlan,
  { series }: FunnelAnswer
): Checked<void> =>
  series.length * (steps.length + (times?.bins ?? 0) + (overTime === null ? 0 : countOf(overTime))) > maximumPoints
    ? problem(
        "limit",
        `breakdowns: the result would have more than ${maximumPoints} points: lower breakdownLimit, or ask for a shorter time or a longer step`
      )
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
