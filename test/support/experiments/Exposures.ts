import { FastCheck as fc } from "effect"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import type { Selector } from "../../../src/domain/analytics/filter/Selector.ts"
import type { PlannedMetric, ScorecardPlan } from "../../../src/domain/experiments/results/ScorecardPlan.ts"
import { ExperimentGroupId, ExperimentId } from "../../../src/domain/Ids.ts"
import { events } from "../Arbitraries.ts"
import { marker, named } from "../analytics/Markers.ts"
import { funnelPlan, plainFunnelPlan } from "../analytics/Plans.ts"
import { filter, origin, selector, tick, ticks, types } from "../analytics/PlanParts.ts"

const fields = fc.record({
  unit: fc.option(fc.constantFrom("u0", "u1", "u2", "u3"), { freq: 12 }),
  at: fc.integer({ min: 0, max: Math.floor(ticks / 2) }),
  experimentId: fc.constantFrom(1, 1, 1, 1, 1, "1", 2, "one"),
  groupId: fc.constantFrom(10, 10, 10, 20, "20", 30, true)
})

const exposures: fc.Arbitrary<ReadonlyArray<StoredEvent>> = fc
  .array(fields, { minLength: 2, maxLength: 6 })
  .map((all) =>
    all.map(({ unit, at, experimentId, groupId }) =>
      marker(0, unit, "$exposure", origin + at * tick, { arguments: { experimentId, groupId } })
    )
  )

const servers = ["u1", null, "u0", "s1"]
const amounts = fc.constantFrom(0.1, 0.7, 1.1, 1e15, -3, 0)

/** Markers with values whose sums are rounded, and exposures among them, in any order of arrival. */
export const exposedWorld = fc
  .tuple(
    events({ units: 4, types, ticks, tick, origin, least: 10, most: 40 }),
    fc.array(amounts, { minLength: 1 }),
    exposures
  )
  .chain(([everyday, values, exposed]) => {
    const paid = everyday.map((event, index) =>
      Object.assign(event, {
        serverId: servers[index % servers.length]!,
        arguments: { ...event.arguments, v: values[index % values.length]! }
      })
    )
    const all = [...paid, ...exposed]
    return fc.shuffledSubarray(all, { minLength: all.length })
  })

const plainSelector = fc.constantFrom<Array<Selector>>(named("a"), named("b"), named("c"), {
  types: ["a", "b"],
  filter: unfiltered
})

const amount = fc.record({
  selector: fc.oneof({ weight: 4, arbitrary: plainSelector }, selector),
  filter: fc.oneof({ weight: 4, arbitrary: fc.constant(unfiltered) }, filter),
  argument: fc.constantFrom(null, "v", "a")
})

const window = fc.record({
  from: fc.constantFrom(0, 0, 3 * tick),
  to: fc.constantFrom(tick, 5 * tick, Infinity, Infinity),
  countsAfter: fc.constantFrom(-Infinity, 0, 5 * tick)
})

const metric: fc.Arbitrary<PlannedMetric> = fc.oneof(
  fc.record({
    type: fc.constant("amounts" as const),
    amounts: fc.oneof(fc.tuple(amount), fc.tuple(amount, amount)),
    atLeast: fc.constantFrom(null, 1, 2),
    window
  }),
  fc.record({
    type: fc.constant("amounts" as const),
    amounts: fc.tuple(amount),
    atLeast: fc.constantFrom(null, 2),
    window,
    interval: fc.constantFrom(tick, 2 * tick)
  }),
  fc.oneof(plainFunnelPlan, funnelPlan).map((funnel) => ({ type: "funnel" as const, funnel }))
)

const instant = fc.integer({ min: -2, max: ticks + 2 }).map((at) => origin + at * tick)
const early = fc.integer({ min: -2, max: 8 }).map((at) => origin + at * tick)
const late = fc.integer({ min: 8, max: ticks + 2 }).map((at) => origin + at * tick)
const instants = fc.uniqueArray(instant, { minLength: 1, maxLength: 4 }).map((all) => all.sort((a, b) => a - b))

export const scorecardPlan: fc.Arbitrary<ScorecardPlan> = fc.record({
  experimentId: fc.constant(ExperimentId.make(1)),
  unitType: fc.constantFrom("user" as const, "user" as const, "server" as const),
  groupIds: fc.constantFrom([10, 20], [20, 10, 30]).map((ids) => ids.map((id) => ExperimentGroupId.make(id))),
  range: fc.oneof(
    { weight: 2, arbitrary: fc.constant({ from: -Infinity, to: origin + ticks * tick }) },
    fc.tuple(early, late).map(([from, to]) => ({ from, to }))
  ),
  multipleExposure: fc.constantFrom("exclude" as const, "first" as const),
  metrics: fc.array(metric, { minLength: 1, maxLength: 3 }),
  priorLength: fc.constantFrom(tick, 6 * tick),
  asOf: late,
  phases: instants,
  days: instants
})

/** Plans whose units come in with a marker of theirs instead of an exposure. */
export const entryPlan: fc.Arbitrary<ScorecardPlan> = fc
  .tuple(scorecardPlan, fc.oneof(fc.constant(unfiltered), filter))
  .map(([plan, entry]) => ({ ...plan, unitType: "user", entry }))
