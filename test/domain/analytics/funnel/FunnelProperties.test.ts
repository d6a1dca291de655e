import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { StoredEvent } from "../../../../src/domain/analytics/markers/Event.ts"
import { funnel, funnelUnits } from "../../../../src/domain/analytics/funnel/Funnel.ts"
import type { FunnelPlan } from "../../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { events, shuffled } from "../../../support/Arbitraries.ts"
import { runCount } from "../../../support/Runs.ts"
import { planOf, excluding, counts, breakdowns } from "../../../support/analytics/FunnelPlans.ts"

const buckets = { step: "hour" as const, zone: "UTC", boundaries: [0, 5000, 10_000, 15_000, 20_000] }

const shape = { units: 3, types: ["a", "b", "c", "x"], ticks: 12, tick: 1000, origin: 0, most: 24 }

const orders = fc.constantFrom<Array<FunnelPlan["order"]>>("ordered", "strict", "unordered")

const attributions = fc.constantFrom<Array<FunnelPlan["attribution"]>>(
  { type: "first" },
  { type: "last" },
  { type: "all" },
  { type: "step", step: 1 }
)

const anyPlan = fc
  .record({
    order: orders,
    steps: fc.constantFrom("a b c", "a b? c", "a a b", "a b"),
    window: fc.integer({ min: 0, max: 12 }).map((ticks) => ticks * 1000),
    isExcluding: fc.boolean(),
    isHeld: fc.boolean(),
    attribution: attributions
  })
  .map(({ order, steps, window, isExcluding, isHeld, attribution }) => {
    const last = steps.split(" ").length - 1
    const isOrdered = order !== "unordered"
    return planOf(isOrdered ? steps : steps.replace("?", ""), {
      order,
      window,
      attribution,
      range: { from: 1000, to: 11_000 },
      exclusions: isExcluding ? [excluding("x", isOrdered ? last - 1 : 0, last)] : [],
      holdConstant: isHeld ? [{ source: "property", name: "p" }] : []
    })
  })

const everybody = { group: null, bin: null, after: null, limit: 100 }

const runs = { fastCheck: { numRuns: runCount(1500) } }

describe("any funnel", () => {
  it.prop(
    "does not depend on the order of arrival",
    [events(shape).chain((all) => fc.tuple(fc.constant(all), shuffled(all))), anyPlan],
    ([[all, other], plan]) => {
      const full = { ...plan, breakdowns, breakdownLimit: 2, overTime: buckets }
      assert.deepEqual(funnel(other, full), funnel(all, full))
    },
    runs
  )

  it.prop(
    "counts at every step the units that it lists there",
    [events(shape), anyPlan],
    ([all, plan]) => {
      const list = (step: number, outcome: "converted" | "dropped") =>
        funnelUnits(all, { ...everybody, funnel: plan, step, outcome })
      const steps = counts(all, plan)
      steps.forEach((count, step) => assert.strictEqual(list(step, "converted").length, count))
      if (plan.steps.every(({ optional }) => !optional)) {
        steps.slice(1).forEach((count, i) => assert.strictEqual(list(i + 1, "dropped").length, steps[i]! - count))
      }
      assert.isEmpty(list(0, "dropped"))
      const units = list(0, "converted").map(({ unitId }) => unitId)
      assert.deepEqual(units, units.toSorted())
      const paged = funnelUnits(all, {
        ...everybody,
        funnel: plan,
        step: 0,
        outcome: "converted",
        after: units[0] ?? null,
        limit: 1
      })
      assert.deepEqual(
        paged.map(({ unitId }) => unitId),
        units.slice(units.length === 0 ? 0 : 1).slice(0, 1)
      )
    },
    runs
  )

  it.prop(
    "counts in every series, and in every bin of its times, the units that it lists there",
    [events(shape), anyPlan, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 })],
    ([all, plan, breakdownLimit, bins]) => {
      const toStep = plan.steps.length - 1
      const full = { ...plan, breakdowns, breakdownLimit, timeToConvert: { fromStep: 0, toStep, bins } }
      const chosen = { ...everybody, funnel: full, outcome: "converted" as const }
      for (const { group, steps, timeToConvert } of funnel(all, full).series) {
        steps.forEach(({ count }, step) =>
          assert.strictEqual(funnelUnits(all, { ...chosen, group, step }).length, count)
        )
        timeToConvert?.bins.forEach(({ count }, bin) =>
          assert.strictEqual(funnelUnits(all, { ...chosen, group, step: toStep, bin }).length, count)
        )
      }
    },
    runs
  )

  it.prop(
    "adds up over groups of one value for each unit",
    [events(shape), anyPlan, fc.integer({ min: 1, max: 3 })],
    ([all, plan, breakdownLimit]) => {
      fc.pre(plan.attribution.type === "first" || plan.attribution.type === "last")
      const groups = funnel(all, { ...plan, breakdowns, breakdownLimit }).series
      const sums = plan.steps.map((_, step) => groups.reduce((sum, { steps }) => sum + steps[step]!.count, 0))
      assert.deepEqual(sums, counts(all, plan))
    },
    runs
  )

  it.prop(
    "over time is the best of its starts, one by one",
    [events(shape), anyPlan],
    ([all, some]) => {
      const isRepeating = some.steps[0]!.selector.types[0] === some.steps[1]!.selector.types[0]
      const plan: FunnelPlan = {
        ...some,
        steps: isRepeating ? planOf("a b x").steps : some.steps,
        order: some.order === "strict" ? "ordered" : some.order,
        exclusions: [],
        holdConstant: [],
        overTime: buckets
      }
      const { overTime } = funnel(all, plan).series[0]!
      const first = new Set(plan.order === "unordered" ? plan.steps.flatMap(({ selector }) => selector.types) : ["a"])
      const isSeen = ({ timestamp }: StoredEvent) => timestamp >= plan.range.from && timestamp < plan.range.to
      const expected = buckets.boundaries.slice(0, -1).map((from, i) => {
        const best = new Map<string, number>()
        for (const start of all.filter(isSeen)) {
          const { unitId, timestamp, type } = start
          if (unitId === null || !first.has(type) || timestamp < from || timestamp >= buckets.boundaries[i + 1]!)
            continue
          const own = all.filter(
            (event) =>
              event.unitId === unitId &&
              isSeen(event) &&
              event.timestamp >= timestamp &&
              event.timestamp <= timestamp + plan.window
          )
          const reached = counts(own, { ...plan, overTime: null }).findLastIndex((count) => count > 0) + 1
          best.set(unitId, Math.max(reached, best.get(unitId) ?? 0))
        }
        const steps = [...best.values()]
        return { entered: steps.length, converted: steps.filter((reached) => reached === plan.steps.length).length }
      })
      assert.deepEqual(overTime, expected)
    },
    runs
  )
})
