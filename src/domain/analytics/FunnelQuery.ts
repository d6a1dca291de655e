import { Either } from "effect"
import { countOf } from "./Buckets.ts"
import type { BreakdownRequest, FiltersRequest, SelectorRequest } from "./FilterRequest.ts"
import { planBreakdowns, planDimensions, planFilter, planSelector } from "./FilterRequest.ts"
import type { Attribution, Exclusion, FunnelAnswer, FunnelPlan, FunnelStep, FunnelUnitsPlan } from "./FunnelPlan.ts"
import { type Checked, problem } from "./QueryProblem.ts"
import type { Selector } from "./Selector.ts"
import { type Asking, type TimeQuery, maximumPoints, planTime } from "./TimeQuery.ts"

export interface FunnelStepRequest extends SelectorRequest {
  readonly optional: boolean
}

export interface ExclusionRequest extends SelectorRequest {
  readonly fromStep: number
  readonly toStep: number
}

export interface FunnelQuery extends FiltersRequest {
  readonly time: TimeQuery
  readonly steps: ReadonlyArray<FunnelStepRequest>
  readonly conversionWindow: { readonly step: keyof typeof windowUnits; readonly value: number }
  readonly order: "ordered" | "strict" | "unordered"
  readonly exclusions: ReadonlyArray<ExclusionRequest>
  readonly holdConstant: ReadonlyArray<BreakdownRequest>
  readonly breakdowns: ReadonlyArray<BreakdownRequest>
  readonly breakdownLimit: number
  readonly breakdownAttribution: "first" | "last" | "all" | { readonly step: number }
  readonly options: { readonly display?: string | undefined }
}

export interface FunnelUnitsQuery extends FunnelQuery {
  readonly step: number
  readonly outcome: "converted" | "dropped"
}

const windowUnits = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000
} as const

const maximumSteps = 32

const planStep = (steps: ReadonlyArray<FunnelStepRequest>, index: number, order: FunnelQuery["order"]) => {
  const step = steps[index]!
  const path = `steps.${index}.`
  if (step.optional && order === "unordered") {
    return problem("invalid", `${path}optional: an unordered funnel has no optional steps`)
  }
  if (step.optional && (index === 0 || index === steps.length - 1)) {
    return problem("invalid", `${path}optional: the first and the last step are mandatory`)
  }
  return Either.map(planSelector(step, path), (selector): FunnelStep => ({ selector, optional: step.optional }))
}

const sameFilter = (a: Selector, b: Selector): boolean => JSON.stringify(a.filter) === JSON.stringify(b.filter)

const shares = (a: Selector, b: Selector): boolean => sameFilter(a, b) && a.types.some((type) => b.types.includes(type))

const planExclusion = (
  request: ExclusionRequest,
  index: number,
  steps: ReadonlyArray<FunnelStep>,
  order: FunnelQuery["order"]
): Checked<Exclusion> => {
  const { fromStep, toStep } = request
  const path = `exclusions.${index}.`
  const last = steps.length - 1
  if (fromStep >= toStep || toStep > last) {
    return problem("invalid", `${path}toStep: expected 0 <= fromStep < toStep <= ${last}`)
  }
  if (order === "unordered" && (fromStep !== 0 || toStep !== last)) {
    return problem("invalid", `${path}fromStep: an exclusion of an unordered funnel spans all of it, from 0 to ${last}`)
  }
  return Either.flatMap(planSelector(request, path), (selector) =>
    steps.slice(fromStep, toStep + 1).some((step) => shares(step.selector, selector))
      ? problem("invalid", `${path}name: the exclusion is one of the steps it spans`)
      : Either.right({ selector, fromStep, toStep })
  )
}

const attributionOf = ({ breakdownAttribution, steps }: FunnelQuery): Checked<Attribution> => {
  if (typeof breakdownAttribution === "string") return Either.right({ type: breakdownAttribution })
  return breakdownAttribution.step < steps.length
    ? Either.right({ type: "step", step: breakdownAttribution.step })
    : problem("invalid", `breakdownAttribution.step: expected a step from 0 to ${steps.length - 1}`)
}

/** What the store is asked for a funnel, or why it cannot be. */
export const planFunnel = (query: FunnelQuery, asking: Asking): Checked<FunnelPlan> =>
  Either.gen(function* () {
    const { order, conversionWindow, exclusions, options } = query
    if (query.steps.length > maximumSteps) return yield* problem("limit", `steps: at most ${maximumSteps}`)
    const steps = yield* Either.all(query.steps.map((_, index) => planStep(query.steps, index, order)))
    const time = yield* planTime(query.time, asking)
    return {
      range: time.range,
      steps,
      order,
      window: Math.min(conversionWindow.value * windowUnits[conversionWindow.step], Number.MAX_SAFE_INTEGER),
      exclusions: yield* Either.all(exclusions.map((each, index) => planExclusion(each, index, steps, order))),
      holdConstant: yield* planDimensions(query.holdConstant, "holdConstant"),
      filter: yield* planFilter(query, ""),
      breakdowns: yield* planBreakdowns(query.breakdowns),
      breakdownLimit: query.breakdownLimit,
      attribution: yield* attributionOf(query),
      overTime: options.display === "overTime" ? time.buckets : null
    }
  })

/** Refuses an answer with too many points. */
export const checkFunnelSize = ({ steps, overTime }: FunnelPlan, { series }: FunnelAnswer): Checked<void> =>
  series.length * (steps.length + (overTime === null ? 0 : countOf(overTime))) > maximumPoints
    ? problem("limit", `breakdowns: more than ${maximumPoints} points in the result`)
    : Either.void

/** What the store is asked for one page of the units behind a number of a funnel. */
export const planFunnelUnits = (
  query: FunnelUnitsQuery,
  page: { readonly after: string | null; readonly limit: number },
  asking: Asking
): Checked<FunnelUnitsPlan> => {
  const { step, outcome, steps } = query
  const first = outcome === "dropped" ? 1 : 0
  if (step < first || step >= steps.length) {
    return problem("invalid", `step: expected a step from ${first} to ${steps.length - 1}`)
  }
  return Either.map(planFunnel(query, asking), (funnel) => ({ funnel, step, outcome, ...page }))
}
