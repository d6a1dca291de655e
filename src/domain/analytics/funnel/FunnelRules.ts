import type { Exclusion, FunnelPlan } from "./FunnelPlan.ts"
import type { Selector } from "../filter/Selector.ts"

/** A rule for funnels that the plan breaks; `step` and `exclusion` are indexes from 0. */
export type FunnelFault =
  | { readonly _tag: "StepCount"; readonly steps: number }
  | { readonly _tag: "OptionalEnd"; readonly step: number }
  | { readonly _tag: "OptionalUnordered"; readonly step: number }
  | { readonly _tag: "ExclusionSteps"; readonly exclusion: number }
  | { readonly _tag: "ExclusionUnordered"; readonly exclusion: number }
  | { readonly _tag: "ExclusionIsStep"; readonly exclusion: number; readonly step: number }
  | { readonly _tag: "AttributionStep"; readonly step: number }

/** Whether every marker of the step is excluded too. */
const covers = (exclusion: Selector, step: Selector): boolean =>
  exclusion.types.some((type) => step.types.includes(type)) &&
  (exclusion.filter.conditions.length === 0 || JSON.stringify(exclusion.filter) === JSON.stringify(step.filter))

const exclusionFault = (
  plan: FunnelPlan,
  { selector, fromStep, toStep }: Exclusion,
  exclusion: number
): FunnelFault | null => {
  const last = plan.steps.length - 1
  if (!(fromStep >= 0 && fromStep < toStep && toStep <= last)) return { _tag: "ExclusionSteps", exclusion }
  if (plan.order === "unordered" && (fromStep !== 0 || toStep !== last))
    return { _tag: "ExclusionUnordered", exclusion }
  const step = plan.steps.findIndex(
    (one, index) => index >= fromStep && index <= toStep && covers(selector, one.selector)
  )
  return step < 0 ? null : { _tag: "ExclusionIsStep", exclusion, step }
}

/** The first rule that the plan breaks; null if it can be answered. */
export const funnelFault = (plan: FunnelPlan): FunnelFault | null => {
  const { steps, order, exclusions, attribution } = plan
  if (steps.length < 2 || steps.length > 32) return { _tag: "StepCount", steps: steps.length }
  const optional = steps.findIndex((step) => step.optional)
  if (optional >= 0 && order === "unordered") return { _tag: "OptionalUnordered", step: optional }
  const end = [0, steps.length - 1].find((step) => steps[step]!.optional)
  if (end !== undefined) return { _tag: "OptionalEnd", step: end }
  if (attribution.type === "step" && !(attribution.step >= 0 && attribution.step < steps.length)) {
    return { _tag: "AttributionStep", step: attribution.step }
  }
  for (const [index, exclusion] of exclusions.entries()) {
    const fault = exclusionFault(plan, exclusion, index)
    if (fault !== null) return fault
  }
  return null
}
