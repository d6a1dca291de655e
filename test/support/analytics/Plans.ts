import { FastCheck as fc } from "effect"
import type { CountedUnitsPlan, ListingPlan, RevenuePlan } from "../../../src/domain/analytics/question/Question.ts"
import { type Buckets } from "../../../src/domain/analytics/time/Buckets.ts"
import { exposureType } from "../../../src/domain/analytics/filter/Memberships.ts"
import type { FunnelPlan } from "../../../src/domain/analytics/funnel/FunnelPlan.ts"
import type { HeatmapPlan } from "../../../src/domain/analytics/heatmap/HeatmapPlan.ts"
import type { InsightPlan, Measure } from "../../../src/domain/analytics/insight/InsightPlan.ts"
import type { Criterion, RetentionPlan } from "../../../src/domain/analytics/retention/RetentionPlan.ts"
import {
  countingMeasure,
  origin,
  tick,
  ticks,
  types,
  filter,
  selector,
  dimension,
  dimensions,
  range,
  bucketed
} from "./PlanParts.ts"

const argument = fc.constantFrom("a", "nowhere")

const spans = (buckets: Buckets, days: number) =>
  [...buckets.boundaries.slice(1), buckets.boundaries.at(-1)!].map((to) => ({ from: to - days * 86_400_000, to }))

const measure = (buckets: Buckets): fc.Arbitrary<Measure> =>
  fc.oneof(
    fc.record({ type: countingMeasure }),
    fc
      .constantFrom(1 as const, 7 as const)
      .map((days) => ({ type: "activeUsers" as const, days, spans: spans(buckets, days) })),
    fc.record({
      type: fc.constantFrom(
        "sum" as const,
        "average" as const,
        "min" as const,
        "max" as const,
        "sumPerUser" as const,
        "averagePerUser" as const
      ),
      argument
    }),
    fc.record({ type: fc.constant("percentile" as const), argument, percentile: fc.integer({ min: 0, max: 100 }) })
  )

export const insightPlan: fc.Arbitrary<InsightPlan> = bucketed.chain(({ range, buckets }) =>
  fc
    .record({
      range: fc.constant(range),
      buckets: fc.constant(buckets),
      metrics: fc.array(fc.record({ id: fc.constant("A"), selector, measure: measure(buckets) }), {
        minLength: 1,
        maxLength: 2
      }),
      filter,
      breakdowns: dimensions,
      breakdownLimit: fc.integer({ min: 1, max: 4 }),
      named: fc.option(fc.subarray(["x", 1, null, "nowhere"]), { freq: 3 }),
      cumulative: fc.boolean()
    })
    .map(({ named, ...plan }) =>
      Object.assign({}, plan, {
        groups:
          named === null || plan.breakdowns.length === 0 ? null : named.map((one) => plan.breakdowns.map(() => one))
      })
    )
)

/** Times to convert up to the last step, from the first or the second. */
const timesFrom = ({ fromStep, bins }: { readonly fromStep: number; readonly bins: number }, toStep: number) => ({
  timeToConvert: { fromStep: Math.min(fromStep, toStep - 1), toStep, bins }
})

export const funnelPlan: fc.Arbitrary<FunnelPlan> = bucketed.chain(({ range, buckets }) =>
  fc
    .record({
      range: fc.constant(range),
      selectors: fc.array(selector, { minLength: 2, maxLength: 4 }),
      optional: fc.boolean(),
      order: fc.constantFrom("ordered" as const, "ordered" as const, "strict" as const, "unordered" as const),
      window: fc.integer({ min: 0, max: 12 }).map((length) => length * tick),
      exclusion: fc.option(selector, { freq: 2 }),
      exposed: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 1 }),
      holdConstant: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        dimension.map((one) => [one])
      ),
      filter,
      breakdowns: dimensions,
      breakdownLimit: fc.integer({ min: 1, max: 3 }),
      attribution: fc.constantFrom<Array<FunnelPlan["attribution"]>>(
        { type: "first" },
        { type: "last" },
        { type: "all" },
        { type: "step", step: 1 }
      ),
      overTime: fc.option(fc.constant(buckets)),
      times: fc.option(fc.record({ fromStep: fc.constantFrom(0, 1), bins: fc.integer({ min: 1, max: 4 }) }))
    })
    .map(({ selectors, optional, exclusion, exposed, times, ...plan }) =>
      Object.assign({}, plan, times === null ? {} : timesFrom(times, selectors.length - 1), {
        steps: selectors.map((selector, step) => ({
          selector: step === exposed ? { ...selector, types: [exposureType] as const } : selector,
          optional: optional && plan.order !== "unordered" && step === 1 && selectors.length > 2
        })),
        exclusions:
          exclusion === null
            ? []
            : [{ selector: exclusion, fromStep: 0, toStep: plan.order === "unordered" ? selectors.length - 1 : 1 }]
      })
    )
)

/** Without anything that a funnel of distinct markers in order can do without, but for the breakdown. */
const stepwisePlan = (breakdowns: fc.Arbitrary<FunnelPlan["breakdowns"]>): fc.Arbitrary<FunnelPlan> =>
  fc.tuple(funnelPlan, breakdowns).chain(([plan, own]) =>
    fc.shuffledSubarray([...types], { minLength: 2 }).map((order) =>
      Object.assign({}, plan, {
        order: "ordered" as const,
        steps: order.map((type, step) => ({
          selector: { types: [type] as const, filter: plan.steps[step % plan.steps.length]!.selector.filter },
          optional: false
        })),
        exclusions: [],
        holdConstant: [],
        breakdowns: own,
        overTime: null,
        ...(plan.timeToConvert === undefined ? {} : timesFrom(plan.timeToConvert, order.length - 1))
      })
    )
  )

export const plainFunnelPlan = stepwisePlan(fc.constant([]))
export const groupedFunnelPlan = stepwisePlan(fc.array(dimension, { minLength: 1, maxLength: 2 }))

const criterion: fc.Arbitrary<Criterion> = fc.oneof(
  fc.record({
    type: fc.constantFrom("on" as const, "onOrBefore" as const, "onOrAfter" as const),
    columns: fc.integer({ min: 1, max: 5 })
  }),
  fc.constant({
    type: "brackets" as const,
    brackets: [
      [1, 1],
      [2, 4]
    ] as const
  })
)

const startsIn = ({ boundaries }: Buckets) =>
  fc
    .integer({ min: 1, max: ticks })
    .map((at) => ({ from: boundaries[0]!, to: Math.max(boundaries[0]!, origin + at * tick) + 1 }))

export const retentionPlan: fc.Arbitrary<RetentionPlan> = bucketed.chain(({ buckets }) =>
  fc
    .record({
      start: selector,
      return: selector,
      filter,
      periods: fc.constant(buckets),
      firstRow: fc.integer({ min: 0, max: 2 }),
      rows: fc.integer({ min: 1, max: 6 }),
      startsIn: fc.option(startsIn(buckets), { nil: undefined }),
      startMode: fc.constantFrom("recurring" as const, "firstTime" as const),
      criterion,
      window: fc.constantFrom("calendar" as const, "calendar" as const, "rolling24h" as const),
      minimumOccurrences: fc.constantFrom(1, 1, 2),
      dateBy: fc.constantFrom("start" as const, "return" as const),
      breakdowns: dimensions,
      breakdownLimit: fc.integer({ min: 1, max: 3 })
    })
    .map((plan) =>
      Object.assign({}, plan, {
        dateBy: plan.criterion.type === "on" && plan.window === "calendar" ? plan.dateBy : ("start" as const)
      })
    )
)

/** By dimensions of which each unit has one value, in periods of the calendar. */
export const groupedRetentionPlan: fc.Arbitrary<RetentionPlan> = fc
  .tuple(retentionPlan, fc.array(dimension, { minLength: 1, maxLength: 2 }))
  .map(([plan, breakdowns]) =>
    Object.assign({}, plan, {
      window: "calendar" as const,
      minimumOccurrences: 1,
      breakdowns: breakdowns.filter(({ source }) => source !== "argument")
    })
  )

export const corner = fc.record({
  x: fc.integer({ min: -2, max: 6 }),
  y: fc.constantFrom(-1, 0, 1),
  z: fc.integer({ min: -2, max: 6 })
})

const heights = fc.constantFrom({ low: 0, high: 0 }, { low: -1, high: 0 }, { low: 1, high: 9 })

export const heatmapPlan: fc.Arbitrary<HeatmapPlan> = fc
  .record({
    range,
    selectors: fc.array(selector, { maxLength: 2 }),
    filter,
    bounds: fc.record({ pointA: corner, pointB: corner }),
    resolution: fc.record({ x: fc.integer({ min: 1, max: 4 }), y: fc.integer({ min: 1, max: 4 }) }),
    heights: fc.option(heights, { freq: 2 })
  })
  .map(({ heights: between, ...plan }) => (between === null ? plan : { ...plan, heights: between }))

export const countedUnitsPlan: fc.Arbitrary<CountedUnitsPlan> = fc.record({
  selector,
  range,
  minimum: fc.integer({ min: 1, max: 3 }),
  maximum: fc.option(fc.integer({ min: 1, max: 5 })),
  limit: fc.integer({ min: 0, max: 3 })
})

const span = fc.tuple(fc.integer({ min: 0, max: ticks }), fc.integer({ min: 0, max: ticks }))

export const revenuePlan: fc.Arbitrary<RevenuePlan> = fc.record({
  argument: fc.constantFrom("a", "nothing"),
  purchase: fc.record({ type: fc.constantFrom(...types), argument: fc.constantFrom("a", "b") }),
  units: fc
    .subarray(["u0", "u1", "u2", "nobody"])
    .chain((ids) => fc.tuple(...ids.map((unitId) => fc.tuple(fc.constant(unitId), span))))
    .map((asked) =>
      asked.map(([unitId, [from, to]]) => ({ unitId, from: origin + from * tick, to: origin + to * tick }))
    )
})

export const listingPlan: fc.Arbitrary<ListingPlan> = fc.record({
  range,
  types: fc.option(fc.subarray([...types])),
  unitId: fc.option(fc.constantFrom("u0", "u1", "nobody")),
  filter,
  limit: fc.integer({ min: 1, max: 10 }),
  after: fc.option(
    fc.record({
      timestamp: fc.integer({ min: 0, max: ticks }).map((at) => origin + at * tick),
      sequence: fc.integer({ min: 0, max: 40 }),
      asOf: fc.integer({ min: 0, max: 40 })
    })
  )
})
