import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { CohortDefinition } from "../../../schema/cohorts/CohortDefinition.ts"
import { cohortMarkers } from "../../../src/domain/cohorts/CohortMarkers.ts"
import { cohortsNamed } from "../../../src/domain/cohorts/CohortUse.ts"
import { unitIdText, unitIdTexts, unitIdTextSteps } from "../../../src/domain/cohorts/UnitIds.ts"
import { CohortId } from "../../../src/domain/Ids.ts"

const decode = Schema.decodeUnknownSync(CohortDefinition)
const window = { last: 7, unit: "day" }
const id = (n: number) => CohortId.make(n)

describe("the markers a definition names", () => {
  it("are none in one of properties alone", () => {
    const property = { type: "property", name: "country", operator: "is", value: "NL" }
    const definition = decode({ op: "and", children: [property] })
    assert.deepStrictEqual(cohortMarkers(definition), [])
  })

  it("are found in conditions of every type and in nested groups, each once", () => {
    const inCohort = { source: "cohort", name: "5", operator: "isIn", value: [5, 6] }
    const inExperiment = { source: "experiment", name: "9", operator: "isNotIn", value: [91] }
    const sequence = JSON.parse(`{
      "type": "sequence",
      "first": {"marker": "Open"},
      "then": {"marker": "Close"},
      "within": {"value": 1, "unit": "hour"},
      "window": {"last": 7, "unit": "day"}
    }`)
    const quiet = { window, quietFor: { value: 1, unit: "day" } }
    const definition = decode({
      op: "and",
      children: [
        {
          type: "behaviour",
          marker: ["Buy", "Level"],
          filters: [inCohort, inExperiment],
          measure: "count",
          operator: "equal",
          value: 1,
          window
        },
        {
          op: "or",
          negate: true,
          children: [
            { type: "firstTime", marker: "Level", window },
            sequence,
            { type: "stopped", marker: "Play", ...quiet },
            { type: "restarted", marker: "Again", ...quiet },
            { type: "cohort", cohortId: 8, in: false },
            { type: "experiment", experimentId: 10, groupId: 101 },
            { type: "experiment", experimentId: 11 }
          ]
        }
      ]
    })
    assert.deepStrictEqual(cohortMarkers(definition), ["Buy", "Level", "$exposure", "Open", "Close", "Play", "Again"])
  })
})

describe("a query that names a cohort", () => {
  const filter = (value: ReadonlyArray<number>) => ({ source: "cohort", name: "x", operator: "isIn", value })

  it("does so in a filter or a breakdown, however deep", () => {
    const insight = (part: object) => ({ queryType: "insight", spec: { metrics: [{ data: { name: "A", ...part } }] } })
    assert.isTrue(cohortsNamed(insight({ filters: [filter([3, 7])] })).has(id(7)))
    assert.isTrue(cohortsNamed({ spec: { breakdowns: [{ source: "cohort", name: "7" }] } }).has(id(7)))
    assert.isTrue(
      cohortsNamed({ filters: [{ source: "cohort", name: "Testers", operator: "isIn", value: 7 }] }).has(id(7))
    )
    assert.isTrue(cohortsNamed({ spec: { steps: [{}, { filters: [filter([7])] }] } }).has(id(7)))
  })

  it("is none that names another, or anything else by that number", () => {
    assert.isFalse(cohortsNamed({ filters: [filter([70])] }).has(id(7)))
    assert.isFalse(cohortsNamed({ filters: [{ source: "cohort", name: "7", operator: "isIn", value: 70 }] }).has(id(7)))
    assert.isFalse(cohortsNamed({ breakdowns: [{ source: "cohort", name: "70" }] }).has(id(7)))
    assert.isFalse(cohortsNamed({ filters: [{ source: "experiment", name: "7", value: [7] }] }).has(id(7)))
    assert.isFalse(cohortsNamed({ filters: [{ source: "property", name: "7", operator: "is", value: 7 }] }).has(id(7)))
    assert.isFalse(cohortsNamed("7").has(id(7)))
  })
})

describe("ids of units", () => {
  it("are texts; a number is its decimal text", () => {
    assert.deepStrictEqual([7, -0, 9_007_199_254_740_991, 1.5, "007", "a\ud800"].map(unitIdText), [
      "7",
      "0",
      "9007199254740991",
      "1.5",
      "007",
      "a\ufffd"
    ])
  })

  it("count once, in their order", () => {
    assert.deepStrictEqual(unitIdTexts(["b", 7, "a", "7", "b"]), ["b", "7", "a"])
  })

  it("E8: are told apart in steps of 5,000, to the same end", () => {
    const ids = Array.from({ length: 90_000 }, (_, at) => (at % 3 === 0 ? at % 70_000 : `u${at % 70_000}`))
    const steps = unitIdTextSteps(ids)
    let count = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) count++
    assert.strictEqual(count, 17)
    assert.deepStrictEqual(step.value, unitIdTexts(ids))
  })
})
