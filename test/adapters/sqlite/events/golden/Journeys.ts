import { unfiltered } from "../../../../../src/domain/analytics/filter/Filter.ts"
import type { Attribution, FunnelPlan, FunnelUnitsPlan } from "../../../../../src/domain/analytics/funnel/FunnelPlan.ts"
import type { Criterion, RetentionPlan } from "../../../../../src/domain/analytics/retention/RetentionPlan.ts"
import { bucketed, day, origin, range } from "./Insights.ts"
import { all, common, dimensions, inCohort, of, where } from "./Selectors.ts"

const funnel = (changes: Partial<FunnelPlan>): FunnelPlan => ({
  range,
  steps: [of("a"), of("b"), of("c")].map((selector) => ({ selector, optional: false })),
  order: "ordered",
  window: day / 4,
  exclusions: [],
  holdConstant: [],
  filter: unfiltered,
  breakdowns: [],
  breakdownLimit: 3,
  attribution: { type: "first" },
  overTime: null,
  ...changes
})

const optionalStep = [
  { selector: of("a"), optional: false },
  { selector: of("Level Start", all(where("level", "greaterThan", [3]))), optional: true },
  { selector: of("b"), optional: false },
  { selector: common, optional: false }
]

/** The compiler asks for what is missing. */
const attributions: { readonly [Type in Attribution["type"]]: Attribution } = {
  first: { type: "first" },
  last: { type: "last" },
  all: { type: "all" },
  step: { type: "step", step: 1 }
}

const orders: { readonly [Order in FunnelPlan["order"]]: Partial<FunnelPlan> } = {
  ordered: { order: "ordered" },
  strict: { order: "strict" },
  unordered: { order: "unordered" }
}

export const funnels: Readonly<Record<string, FunnelPlan>> = {
  ...Object.fromEntries(Object.entries(orders).map(([name, change]) => [name, funnel(change)])),
  ...Object.fromEntries(
    Object.values(attributions).map((attribution) => [
      `by country of the ${attribution.type}`,
      funnel({ attribution, breakdowns: dimensions["a property"]! })
    ])
  ),
  ...Object.fromEntries(
    Object.entries(dimensions).map(([name, breakdowns]) => [
      `two steps by ${name}`,
      funnel({ breakdowns, steps: optionalStep.slice(2), attribution: { type: "last" } })
    ])
  ),
  "a step that may be left out": funnel({ steps: optionalStep, window: 5 * day }),
  "over time": funnel({ overTime: bucketed("Europe/Berlin", "day") }),
  "without others in between": funnel({ exclusions: [{ selector: of("Purchase"), fromStep: 0, toStep: 1 }] }),
  "of one item": funnel({ holdConstant: [{ source: "argument", name: "a" }] }),
  "of members": funnel({ filter: all(inCohort(true)) })
}

const unitsPlan = (changes: Partial<FunnelUnitsPlan>): FunnelUnitsPlan => ({
  funnel: funnel({}),
  step: 1,
  outcome: "converted",
  group: null,
  bin: null,
  after: null,
  limit: 100,
  ...changes
})

export const funnelUnits: Readonly<Record<string, FunnelUnitsPlan>> = {
  converted: unitsPlan({}),
  dropped: unitsPlan({ outcome: "dropped", step: 2 }),
  "a page": unitsPlan({ after: "player-0001", limit: 2 })
}

const retention = (changes: Partial<RetentionPlan>): RetentionPlan => ({
  start: of("a"),
  return: common,
  filter: unfiltered,
  periods: bucketed("Europe/Berlin", "day", { from: origin, to: origin + 12 * day }),
  firstRow: 0,
  rows: 6,
  startMode: "recurring",
  criterion: { type: "on", columns: 3 },
  window: "calendar",
  minimumOccurrences: 1,
  dateBy: "start",
  breakdowns: [],
  breakdownLimit: 3,
  ...changes
})

/** The compiler asks for what is missing. */
const criteria: { readonly [Type in Criterion["type"]]: Criterion } = {
  on: { type: "on", columns: 4 },
  onOrBefore: { type: "onOrBefore", columns: 3 },
  onOrAfter: { type: "onOrAfter", columns: 3 },
  brackets: {
    type: "brackets",
    brackets: [
      [1, 1],
      [2, 4]
    ]
  }
}

export const retentions: Readonly<Record<string, RetentionPlan>> = {
  ...Object.fromEntries(
    Object.entries(criteria).map(([name, criterion]) => [name, retention({ criterion, minimumOccurrences: 2 })])
  ),
  ...Object.fromEntries(
    Object.entries(dimensions).map(([name, breakdowns]) => [`by ${name}`, retention({ breakdowns, rows: 3 })])
  ),
  "of new units": retention({ startMode: "firstTime", firstRow: 1 }),
  "new units after hours": retention({ startMode: "firstTime", window: "rolling24h" }),
  "by day of return": retention({ dateBy: "return" }),
  "of members": retention({ filter: all(inCohort(true)), start: of("Level Start") })
}
