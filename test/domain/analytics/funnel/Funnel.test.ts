import { assert, describe, it } from "@effect/vitest"
import { type Filter } from "../../../../src/domain/analytics/filter/Filter.ts"
import { funnel } from "../../../../src/domain/analytics/funnel/Funnel.ts"
import { funnelTable } from "../../../../src/domain/analytics/funnel/FunnelTable.ts"
import { journeys, marker } from "../../../support/analytics/Markers.ts"
import { planOf, excluding, counts } from "../../../support/analytics/FunnelPlans.ts"

const argument = (name: string, value: string): Filter => ({
  match: "all",
  conditions: [{ source: "argument", name, operator: "is", operands: [value] }]
})

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

  it("does nothing by the marker that is one of its two steps", () => {
    const all = [
      marker(1, "u", "a", 0),
      marker(2, "u", "b", 1, { arguments: { price: "dear" } }),
      marker(3, "u", "c", 2)
    ]
    const dear = { types: ["b"] as const, filter: argument("price", "dear") }
    for (const order of ["ordered", "strict"] as const) {
      const between = (from: number, to: number) =>
        counts(all, planOf("a b c", { order, exclusions: [{ ...excluding("b", from, to), selector: dear }] }))
      assert.deepEqual(between(0, 1), [1, 1, 1])
      assert.deepEqual(between(1, 2), [1, 1, 1])
      assert.deepEqual(between(0, 2), [0, 0, 0])
    }
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

  it("goes on over a step that is done once more, and not over an earlier one", () => {
    const all = journeys(`
      repeated: a@0 a@1 b@2 b@3 c@4
      back: a@0 b@1 a@2 c@3
      together: a@0 b@1 z@2 b@2 c@3
    `)
    assert.deepEqual(counts(all, planOf("a b c", { order: "strict" })), [3, 3, 2])
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
