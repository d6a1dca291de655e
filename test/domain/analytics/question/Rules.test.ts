import { assert, describe, it } from "@effect/vitest"
import { type Filter, unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import type { FunnelPlan } from "../../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { funnelFault } from "../../../../src/domain/analytics/funnel/FunnelRules.ts"
import type { Criterion } from "../../../../src/domain/analytics/retention/RetentionPlan.ts"
import { retentionFault } from "../../../../src/domain/analytics/retention/RetentionRules.ts"
import { named } from "../../../support/analytics/Markers.ts"

const only: Filter = { match: "all", conditions: [{ source: "argument", name: "k", operator: "is", operands: ["x"] }] }

const plan = (steps: string, more: Partial<FunnelPlan> = {}): FunnelPlan => ({
  range: { from: 0, to: 1 },
  steps: steps.split(" ").map((step) => ({ selector: named(step.replace("?", "")), optional: step.endsWith("?") })),
  order: "ordered",
  window: 1,
  exclusions: [],
  holdConstant: [],
  filter: unfiltered,
  breakdowns: [],
  breakdownLimit: 25,
  attribution: { type: "first" },
  overTime: null,
  ...more
})

const excluding = (type: string, fromStep: number, toStep: number, filter = unfiltered) => ({
  exclusions: [{ selector: named(type, filter), fromStep, toStep }]
})

describe("the rules of funnels", () => {
  it.for<readonly [string, FunnelPlan, string | undefined]>([
    ["two steps", plan("a b"), undefined],
    ["one step", plan("a"), "StepCount"],
    ["33 steps", plan(Array.from({ length: 33 }, () => "a").join(" ")), "StepCount"],
    ["an optional step inside", plan("a b? c"), undefined],
    ["an optional first step", plan("a? b c"), "OptionalEnd"],
    ["an optional last step", plan("a b c?"), "OptionalEnd"],
    ["an optional step without order", plan("a b? c", { order: "unordered" }), "OptionalUnordered"],
    ["an exclusion between steps", plan("a b c", excluding("x", 0, 2)), undefined],
    ["an exclusion backwards", plan("a b c", excluding("x", 1, 1)), "ExclusionSteps"],
    ["an exclusion past the end", plan("a b c", excluding("x", 1, 3)), "ExclusionSteps"],
    ["an exclusion that is a step", plan("a b c", excluding("b", 0, 1)), "ExclusionIsStep"],
    ["an exclusion that is a step elsewhere", plan("a b c", excluding("c", 0, 1)), undefined],
    ["an exclusion of some of a step's markers", plan("a b c", excluding("b", 0, 1, only)), undefined],
    ["an unordered exclusion of everything", plan("a b c", { order: "unordered", ...excluding("x", 0, 2) }), undefined],
    [
      "an unordered exclusion of a part",
      plan("a b c", { order: "unordered", ...excluding("x", 0, 1) }),
      "ExclusionUnordered"
    ],
    ["attribution to a step", plan("a b", { attribution: { type: "step", step: 1 } }), undefined],
    ["attribution past the end", plan("a b", { attribution: { type: "step", step: 2 } }), "AttributionStep"]
  ])("judge %s", ([, asked, fault]) => {
    assert.strictEqual(funnelFault(asked)?._tag, fault)
  })
})

describe("the rules of retention", () => {
  const fault = (
    criterion: Criterion,
    minimumOccurrences = 1,
    dateBy: "start" | "return" = "start",
    window: "calendar" | "rolling24h" = "calendar"
  ) => retentionFault({ criterion, minimumOccurrences, dateBy, window })?._tag
  const brackets = (...all: ReadonlyArray<readonly [number, number]>): Criterion => ({
    type: "brackets",
    brackets: all
  })
  const on: Criterion = { type: "on", columns: 3 }

  it("want columns, and brackets without gaps from 1", () => {
    assert.deepEqual(
      [brackets(), brackets([1, 1], [2, 4]), brackets([2, 3]), brackets([1, 2], [4, 5]), brackets([1, 0])].map((one) =>
        fault(one)
      ),
      ["NoColumns", undefined, "Brackets", "Brackets", "Brackets"]
    )
    assert.strictEqual(fault({ type: "onOrAfter", columns: 0 }), "NoColumns")
  })

  it("want at least one return, and dates by the return only for on and calendar", () => {
    assert.strictEqual(fault(on, 0), "Occurrences")
    assert.strictEqual(fault(on, 2, "return"), undefined)
    assert.strictEqual(fault({ type: "onOrAfter", columns: 3 }, 1, "return"), "DatedByReturn")
    assert.strictEqual(fault(on, 1, "return", "rolling24h"), "DatedByReturn")
  })
})
