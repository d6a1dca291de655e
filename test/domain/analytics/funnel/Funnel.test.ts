import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { StoredEvent } from "../../../../src/domain/analytics/markers/Event.ts"
import { type Filter, everything } from "../../../../src/domain/analytics/filter/Filter.ts"
import { funnel, funnelUnits } from "../../../../src/domain/analytics/funnel/Funnel.ts"
import type { Exclusion, FunnelPlan } from "../../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { funnelTable } from "../../../../src/domain/analytics/funnel/FunnelTable.ts"
import { events, shuffled } from "../../../support/Arbitraries.ts"
import { journeys, marker, named } from "../../../support/analytics/Markers.ts"
import { runCount } from "../../../support/Runs.ts"

const argument = (name: string, value: string): Filter => ({
  match: "all",
  conditions: [{ source: "argument", name, operator: "is", operands: [value] }]
})

const planOf = (steps: string, more: Partial<FunnelPlan> = {}): FunnelPlan => ({
  range: { from: 0, to: 1e12 },
  steps: steps.split(" ").map((step) => ({ selector: named(step.replace("?", "")), optional: step.endsWith("?") })),
  order: "ordered",
  window: 10_000,
  exclusions: [],
  holdConstant: [],
  filter: everything,
  breakdowns: [],
  breakdownLimit: 25,
  attribution: { type: "first" },
  overTime: null,
  ...more
})

const excluding = (type: string, fromStep: number, toStep: number): Exclusion => ({
  selector: named(type),
  fromStep,
  toStep
})

const counts = (all: ReadonlyArray<StoredEvent>, plan: FunnelPlan): ReadonlyArray<number> =>
  funnel(all, plan).series[0]?.steps.map(({ count }) => count) ?? []

const byGroup = (all: ReadonlyArray<StoredEvent>, plan: FunnelPlan) =>
  funnel(all, plan).series.map(({ group, steps }) =>
    [group.isOther ? "Other" : group.values[0]].concat(steps.map(({ count }) => count))
  )

describe("an ordered funnel", () => {
  it("wants the steps in order, within the window of the first, its end included", () => {
    const all = journeys(`
      in: a@0 b@5 c@10
      late: a@0 b@5 c@11
      wrong: b@0 a@1 c@2
      again: a@0 a@4 b@5 c@13
    `)
    assert.deepEqual(counts(all, planOf("a b c")), [4, 3, 2])
  })

  it("sees only markers of the range", () => {
    const all = journeys("u: a@0 b@5 c@10")
    assert.deepEqual(counts(all, planOf("a b c", { range: { from: 0, to: 10_000 } })), [1, 1, 0])
    assert.deepEqual(counts(all, planOf("a b c", { range: { from: 1, to: 11_000 } })), [0, 0, 0])
  })

  it("converts markers of one instant in any order, each for one step", () => {
    const all = journeys(`
      backwards: c@3 b@3 a@3
      once: a@3
    `)
    assert.deepEqual(counts(all, planOf("a b c")), [2, 1, 1])
    assert.deepEqual(counts(all, planOf("a a")), [2, 0])
  })

  it("measures the time from step to step of the latest start that still converts", () => {
    const all = journeys(`
      u: a@0 a@2 b@3 c@6
      v: a@0 b@5 c@6
      w: a@0 b@2
    `)
    const { steps } = funnel(all, planOf("a b c")).series[0]!
    assert.deepEqual(steps[0], { count: 3, averageSeconds: null, medianSeconds: null })
    assert.deepEqual(steps[1], { count: 3, averageSeconds: 8 / 3, medianSeconds: 2 })
    assert.deepEqual(steps[2], { count: 2, averageSeconds: 2, medianSeconds: 2 })
  })

  it("has an absolute window over a change of the clock", () => {
    const from = Date.parse("2024-03-09T17:00:00Z")
    const fortnight = 14 * 86_400_000
    const all = [
      marker(1, "u", "a", from),
      marker(2, "u", "b", from + fortnight),
      marker(3, "v", "a", from),
      marker(4, "v", "b", from + fortnight + 1)
    ]
    const plan = planOf("a b", { window: fortnight, range: { from: 0, to: 4e12 } })
    assert.deepEqual(counts(all, plan), [2, 1])
  })

  it("holds its own filter for every marker, exclusions too", () => {
    const all = [
      marker(1, "u", "a", 0, { arguments: { k: "x" } }),
      marker(2, "u", "stop", 1),
      marker(3, "u", "b", 2, { arguments: { k: "x" } })
    ]
    const plan = planOf("a b", { exclusions: [excluding("stop", 0, 1)] })
    assert.deepEqual(counts(all, plan), [0, 0])
    assert.deepEqual(counts(all, { ...plan, filter: argument("k", "x") }), [1, 1])
  })
})

describe("an exclusion", () => {
  it("counts only strictly between its steps and inside the window", () => {
    const all = journeys(`
      between: a@0 x@1 b@2 c@3
      before: x@0 a@1 b@2 c@3
      after: a@0 b@1 x@2 c@3
      same: a@0 x@2 b@2 c@3
      outside: a@0 x@11 a@12 b@13
      restart: a@0 x@1 a@2 b@3
    `)
    assert.deepEqual(counts(all, planOf("a b c", { exclusions: [excluding("x", 0, 1)] })), [5, 5, 3])
  })

  it("drops a unit from every step when its best attempt is excluded", () => {
    const all = journeys("u: a@0 b@1 x@2 c@3")
    assert.deepEqual(counts(all, planOf("a b c", { exclusions: [excluding("x", 1, 2)] })), [0, 0, 0])
    assert.deepEqual(
      counts(journeys("u: a@0 b@1 x@2"), planOf("a b c", { exclusions: [excluding("x", 1, 2)] })),
      [0, 0, 0]
    )
    assert.deepEqual(
      counts(journeys("u: a@0 b@1 x@20"), planOf("a b c", { exclusions: [excluding("x", 1, 2)] })),
      [1, 1, 0]
    )
  })

  it("of an unordered funnel discards what was gathered within the window", () => {
    const all = journeys(`
      spoiled: b@0 x@1 a@2
      whole: b@0 c@1 a@2 x@3
      kept: b@0 c@1 x@20
    `)
    assert.deepEqual(
      counts(all, planOf("a b c", { order: "unordered", exclusions: [excluding("x", 0, 2)] })),
      [3, 2, 1]
    )
  })
})

describe("a strict funnel", () => {
  it("suffers no other marker between its steps", () => {
    const all = journeys(`
      clean: a@0 b@1 c@2
      dirty: a@0 z@1 b@2 c@3
      again: a@0 b@1 z@2 a@3 b@4 c@5
      together: a@0 z@1 b@1
    `)
    assert.deepEqual(counts(all, planOf("a b c", { order: "strict" })), [4, 3, 2])
  })
})

describe("optional steps", () => {
  it("count the units whose path holds them and stop nobody", () => {
    const all = journeys(`
      all: a@0 b@1 c@2
      skip: a@0 c@2
      half: a@0 b@1
    `)
    const plan = planOf("a b? c")
    const { steps } = funnel(all, plan).series[0]!
    assert.deepEqual(
      steps.map(({ count }) => count),
      [3, 2, 2]
    )
    assert.deepEqual(steps[2], { count: 2, averageSeconds: 1.5, medianSeconds: 1.5 })
    const table = funnelTable(plan, funnel(all, plan).series[0]!, 0)
    assert.closeTo(table.steps[2]!.conversionFromPrevious, 66.67, 0.01)
  })

  it("are looked over, mandatory ones are not", () => {
    assert.deepEqual(counts(journeys("u: a@0 d@1"), planOf("a b? c? d")), [1, 0, 0, 1])
    assert.deepEqual(counts(journeys("u: a@0 d@1"), planOf("a b? c d")), [1, 0, 0, 0])
  })
})

describe("an unordered funnel", () => {
  it("counts distinct steps inside the window of the earliest", () => {
    const all = journeys(`
      any: c@0 a@5 b@10
      late: c@0 a@5 b@11
      one: b@0 b@1
    `)
    const { steps } = funnel(all, planOf("a b c", { order: "unordered" })).series[0]!
    assert.deepEqual(
      steps.map(({ count }) => count),
      [3, 2, 1]
    )
    assert.deepEqual(
      steps.map(({ averageSeconds }) => averageSeconds),
      [null, 5, 5]
    )
  })
})

describe("holding constant", () => {
  const level = (sequence: number, unit: string, type: string, at: number, value?: string) =>
    marker(sequence, unit, type, at, { arguments: value === undefined ? {} : { level: value } })

  it("runs each value by itself and counts a unit once, with its best", () => {
    const all = [
      level(1, "u", "a", 0, "1"),
      level(2, "u", "b", 1, "2"),
      level(3, "v", "a", 0, "1"),
      level(4, "v", "a", 1, "2"),
      level(5, "v", "b", 2, "2"),
      level(6, "w", "a", 0),
      level(7, "w", "b", 1)
    ]
    assert.deepEqual(counts(all, planOf("a b")), [3, 3])
    assert.deepEqual(counts(all, planOf("a b", { holdConstant: [{ source: "argument", name: "level" }] })), [2, 1])
  })
})

describe("a breakdown of a funnel", () => {
  const mark = (sequence: number, unit: string, type: string, at: number, browser?: string) =>
    marker(sequence, unit, type, at, { arguments: browser === undefined ? {} : { browser } })
  const all = [
    mark(1, "u", "a", 0, ""),
    mark(2, "u", "b", 1, "x"),
    mark(3, "u", "b", 2, "y"),
    mark(4, "v", "a", 0, "x"),
    mark(5, "v", "b", 1, "x"),
    mark(6, "w", "a", 0)
  ]
  const by = (attribution: FunnelPlan["attribution"], breakdownLimit = 25) =>
    byGroup(all, planOf("a b", { breakdowns: [{ source: "argument", name: "browser" }], attribution, breakdownLimit }))

  it("takes the first or the last value that is there", () => {
    assert.deepEqual(by({ type: "first" }), [
      ["x", 2, 2],
      [null, 1, 0]
    ])
    assert.deepEqual(by({ type: "last" }), [
      ["x", 1, 1],
      ["y", 1, 1],
      [null, 1, 0]
    ])
  })

  it("takes the value at a step and leaves out who never came there", () => {
    assert.deepEqual(by({ type: "step", step: 1 }), [["x", 2, 2]])
    assert.deepEqual(by({ type: "step", step: 0 }), [
      [null, 2, 1],
      ["x", 1, 1]
    ])
  })

  it("by all runs once for each value on its markers", () => {
    assert.deepEqual(by({ type: "all" }), [
      [null, 2, 0],
      ["x", 1, 1]
    ])
  })

  it("merges what is past the limit, a unit once", () => {
    assert.deepEqual(by({ type: "last" }, 1), [
      ["x", 1, 1],
      ["Other", 2, 1]
    ])
    const both = [
      mark(1, "u", "a", 0, "x"),
      mark(2, "u", "a", 1, "y"),
      mark(3, "u", "b", 2, "y"),
      mark(4, "v", "a", 0, "z"),
      mark(5, "w", "a", 0, "z")
    ]
    const plan = planOf("a b", {
      breakdowns: [{ source: "argument", name: "browser" }],
      attribution: { type: "all" },
      breakdownLimit: 1
    })
    assert.deepEqual(byGroup(both, plan), [
      ["z", 2, 0],
      ["Other", 1, 1]
    ])
  })
})

const buckets = { step: "hour" as const, zone: "UTC", boundaries: [0, 5000, 10_000, 15_000, 20_000] }

describe("a funnel over time", () => {
  const overTime = (all: ReadonlyArray<StoredEvent>, plan: FunnelPlan, now = 1e12) =>
    funnelTable(plan, funnel(all, plan).series[0]!, now).overTime

  it("counts a unit once in each bucket, with its most steps from a start there", () => {
    const all = journeys(`
      u: a@0 a@1 b@2 a@6 b@17
      v: a@4 b@6
      w: b@1
    `)
    const plan = planOf("a b", { overTime: buckets, range: { from: 0, to: 20_000 } })
    const found = overTime(all, plan, 25_000)
    assert.deepEqual(
      found.map(({ entered, converted }) => [entered, converted]),
      [
        [2, 2],
        [1, 0],
        [0, 0],
        [0, 0]
      ]
    )
    assert.deepEqual(
      found.map(({ rate }) => rate),
      [100, 0, 0, 0]
    )
    assert.deepEqual(
      found.map(({ complete }) => complete),
      [true, true, true, false]
    )
    assert.deepEqual(
      found.map(({ start }) => start),
      [0, 5000, 10_000, 15_000]
    )
  })

  it("rounds the rate to two decimals", () => {
    const all = journeys("u: a@0 b@1\nv: a@0\nw: a@0")
    assert.strictEqual(overTime(all, planOf("a b", { overTime: buckets }))[0]!.rate, 33.33)
  })
})

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
const runs = { fastCheck: { numRuns: runCount(1500) } }
const breakdowns = [{ source: "argument" as const, name: "a" }]

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
        funnelUnits(all, { funnel: plan, step, outcome, after: null, limit: 100 })
      const steps = counts(all, plan)
      steps.forEach((count, step) => assert.strictEqual(list(step, "converted").length, count))
      if (plan.steps.every(({ optional }) => !optional)) {
        steps.slice(1).forEach((count, i) => assert.strictEqual(list(i + 1, "dropped").length, steps[i]! - count))
      }
      assert.isEmpty(list(0, "dropped"))
      const units = list(0, "converted").map(({ unitId }) => unitId)
      assert.deepEqual(units, units.toSorted())
      const paged = funnelUnits(all, { funnel: plan, step: 0, outcome: "converted", after: units[0] ?? null, limit: 1 })
      assert.deepEqual(
        paged.map(({ unitId }) => unitId),
        units.slice(units.length === 0 ? 0 : 1).slice(0, 1)
      )
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
