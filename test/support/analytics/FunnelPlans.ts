import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import { funnel } from "../../../src/domain/analytics/funnel/Funnel.ts"
import type { Exclusion, FunnelPlan } from "../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { named } from "./Markers.ts"

export const planOf = (steps: string, more: Partial<FunnelPlan> = {}): FunnelPlan => ({
  range: { from: 0, to: 1e12 },
  steps: steps.split(" ").map((step) => ({ selector: named(step.replace("?", "")), optional: step.endsWith("?") })),
  order: "ordered",
  window: 10_000,
  exclusions: [],
  holdConstant: [],
  filter: unfiltered,
  breakdowns: [],
  breakdownLimit: 25,
  attribution: { type: "first" },
  overTime: null,
  ...more
})

export const excluding = (type: string, fromStep: number, toStep: number): Exclusion => ({
  selector: named(type),
  fromStep,
  toStep
})

export const counts = (all: ReadonlyArray<StoredEvent>, plan: FunnelPlan): ReadonlyArray<number> =>
  funnel(all, plan).series[0]?.steps.map(({ count }) => count) ?? []

export const byGroup = (all: ReadonlyArray<StoredEvent>, plan: FunnelPlan) =>
  funnel(all, plan).series.map(({ group, steps }) =>
    [group.isOther ? "Other" : group.values[0]].concat(steps.map(({ count }) => count))
  )

export const breakdowns = [{ source: "argument" as const, name: "a" }]
