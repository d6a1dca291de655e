import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Scalar, Value } from "../../../../src/domain/analytics/markers/Event.ts"
import { type Filter, type Operator, filterTest } from "../../../../src/domain/analytics/filter/Filter.ts"
import { numberOf } from "../../../../src/domain/analytics/filter/Value.ts"
import { marker } from "../../../support/analytics/Markers.ts"
import { runCount } from "../../../support/Runs.ts"

const holds = (value: Value | undefined, operator: Operator, ...operands: ReadonlyArray<Scalar>): boolean =>
  filterTest({ match: "all", conditions: [{ source: "argument", name: "a", operator, operands }] })(
    marker(0, "u", "m", 0, { arguments: value === undefined ? {} : { a: value } })
  )

const rows: ReadonlyArray<readonly [Value | undefined, Operator, ReadonlyArray<Scalar>, boolean]> = [
  ["abc", "is", ["abc"], true],
  ["abc", "is", ["ABC"], false],
  ["abc", "is", ["x", "abc"], true],
  [5, "is", ["5"], true],
  [5, "is", ["5.0"], false],
  [5, "equal", ["5.0"], true],
  ["5.0", "equal", [5], true],
  ["abc", "equal", ["abc"], true],
  [true, "is", ["true"], true],
  [undefined, "is", ["abc"], false],
  [undefined, "isNot", ["abc"], true],
  ["abc", "isNot", ["abc"], false],
  [undefined, "is", [""], true],
  ["", "isNot", [""], false],
  ["", "equal", [""], true],
  [undefined, "equal", [5, ""], true],
  ["a", "equal", [""], false],
  ["", "notEqual", [""], false],
  [undefined, "notEqual", [""], false],
  [undefined, "notEqual", [5], true],
  ["Magic Sword", "contains", ["SWORD"], true],
  ["Magic Sword", "notContains", ["sword"], false],
  [undefined, "notContains", ["sword"], true],
  [1234, "contains", ["23"], true],
  ["10", "greaterThan", [9], true],
  ["ten", "greaterThan", [9], false],
  ["ten", "lessThan", [9], false],
  [undefined, "lessThan", [9], false],
  [true, "greaterThan", [0], false],
  [9, "greaterThan", [9], false],
  [9, "greaterThanOrEqual", [9], true],
  [9, "lessThanOrEqual", ["9"], true],
  [1, "between", [1, 3], true],
  ["3", "between", [1, 3], true],
  [3.1, "between", [1, 3], false],
  [2, "between", [1], false],
  ["0x10", "greaterThan", [1], false],
  ["", "isSet", [], false],
  ["", "isNotSet", [], true],
  [0, "isSet", [], true],
  [false, "isSet", [], true],
  [undefined, "isNotSet", [], true],
  [[], "isSet", [], false],
  [["a", "b"], "is", ["b"], true],
  [["a", "b"], "isNot", ["b"], false],
  [["a", "b"], "isNot", ["c"], true],
  [[1, 20], "greaterThan", [10], true],
  [["a"], "isIn", ["a", "z"], true],
  ["q", "isNotIn", ["a", "z"], true],
  [2, "notEqual", ["2"], false]
]

describe("a condition", () => {
  it.for(rows)("%j %s %j is %j", ([value, operator, operands, expected]) => {
    assert.strictEqual(holds(value, operator, ...operands), expected)
  })

  it.prop(
    "of negation holds exactly when its positive twin does not",
    [
      fc.constantFrom<Array<Value | undefined>>(undefined, "", "a", "5", 5, true, [], ["a", 5], [""]),
      fc.constantFrom<Array<readonly [Operator, Operator]>>(
        ["is", "isNot"],
        ["contains", "notContains"],
        ["equal", "notEqual"],
        ["isSet", "isNotSet"],
        ["isIn", "isNotIn"]
      ),
      fc.array(fc.constantFrom<Array<Scalar>>("", "a", 5, "5", true), { minLength: 1, maxLength: 3 })
    ],
    ([value, [positive, negative], operands]) => {
      assert.notStrictEqual(holds(value, positive, ...operands), holds(value, negative, ...operands))
    },
    { fastCheck: { numRuns: runCount(1000) } }
  )

  it("of membership never holds inside for a marker without a unit", () => {
    const filter = (isIn: boolean): Filter => ({
      match: "all",
      conditions: [{ source: "cohort", members: { key: "1@1", units: new Set(["u"]) }, isIn }]
    })
    const results = ["u", "v", null].map((unit) =>
      [true, false].map((isIn) => filterTest(filter(isIn))(marker(0, unit, "m", 0)))
    )
    assert.deepEqual(results, [
      [true, false],
      [false, true],
      [false, true]
    ])
  })
})

describe("a filter", () => {
  const filter = (match: "all" | "any"): Filter => ({
    match,
    conditions: [
      { source: "argument", name: "a", operator: "is", operands: ["x"] },
      { source: "property", name: "a", operator: "is", operands: ["y"] }
    ]
  })
  const test = (match: "all" | "any", argument: string, property: string) =>
    filterTest(filter(match))(marker(0, "u", "m", 0, { arguments: { a: argument }, properties: { a: property } }))

  it("wants all or any of its conditions, arguments apart from properties", () => {
    assert.deepEqual([test("all", "x", "y"), test("all", "x", "x"), test("all", "y", "x")], [true, false, false])
    assert.deepEqual([test("any", "x", "y"), test("any", "x", "x"), test("any", "y", "x")], [true, true, false])
  })

  it("without conditions lets everything pass", () => {
    assert.isTrue(filterTest({ match: "any", conditions: [] })(marker(0, null, "m", 0)))
  })
})

describe("a number", () => {
  it("is what is written as one", () => {
    const texts = ["12", "-1.5", "+.5", "1e3", "1.", "", " 1", "0x10", "Infinity", "NaN", "1,5", "1e999"]
    assert.deepEqual(texts.map(numberOf), [12, -1.5, 0.5, 1000, 1, null, null, null, null, null, null, null])
    assert.deepEqual([numberOf(true), numberOf([1]), numberOf(undefined)], [null, null, null])
  })
})
