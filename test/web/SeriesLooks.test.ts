import { assert, describe, it } from "@effect/vitest"
import { colorsOf, groupNames } from "../../src/web/builder/Breakdown.ts"
import { funnelGroups } from "../../src/web/funnels/Groups.ts"
import { keyOf } from "../../src/web/insights/Series.ts"

const group = (value: string) => [{ source: "property", name: "country", value }] as const

const series = (names: ReadonlyArray<string>) => names.map((key) => ({ key, breakdown: group(key) }))

const many = Array.from({ length: 18 }, (_, index) => `series ${index}`)

describe("looks of series", () => {
  it("are told apart for sixteen; the rest of a breakdown and those beyond are grey", () => {
    const looks = colorsOf(new Map(), series(many))
    assert.strictEqual(new Set(looks.slice(0, 16)).size, 16)
    assert.deepStrictEqual(looks.slice(16), [null, null])
    assert.deepStrictEqual(colorsOf(new Map(), series(["Other", "DE"])), [null, 0])
  })

  it("stay with a series when its rank changes, and go on to the next when it is not there any more", () => {
    const known = new Map<string, number>()
    assert.deepStrictEqual(colorsOf(known, series(["a", "b", "c"])), [0, 1, 2])
    assert.deepStrictEqual(colorsOf(known, series(["c", "a", "b"])), [2, 0, 1])
    assert.deepStrictEqual(colorsOf(known, series(["d", "b"])), [0, 1])
    assert.deepStrictEqual(colorsOf(known, series(["a", "b", "c"])), [0, 1, 2])
  })

  it("begin with the first for groups, whatever was asked before", () => {
    const known = new Map<string, number>()
    assert.deepStrictEqual(colorsOf(known, [{ key: "", breakdown: [] }]), [0])
    assert.deepStrictEqual(colorsOf(known, series(["android", "ios"])), [0, 1])
    for (const round of [0, 1, 2, 3]) {
      const looks = colorsOf(known, series(Array.from({ length: 8 }, (_, index) => `${round} ${index}`)))
      assert.deepStrictEqual(looks, [0, 1, 2, 3, 4, 5, 6, 7])
    }
  })

  it("have names of their own, so that hiding one hides no other", () => {
    const key = (...values: ReadonlyArray<string | number | boolean | null>) =>
      keyOf({ metricId: "A", breakdown: values.map((value, at) => ({ name: `property ${at}`, value })) })
    const groups = [[null], ["null"], [1], ["1"], [true], ["true"], ["a b"], ['"a"'], ["a"], ["a b", "c"], ["a", "b c"]]
    const keys = groups.map((values) => key(...values))
    assert.strictEqual(new Set(keys).size, groups.length, keys.join("\n"))
    assert.deepStrictEqual([key("DE"), key("United States"), key("DE", "ios")], ["A DE", "A United States", "A DE ios"])
    assert.strictEqual(key("1.2.0"), "A 1.2.0")
  })

  it("read differently: a text that looks like another group's value stands in quotes", () => {
    const names = (groups: ReadonlyArray<ReadonlyArray<string | number | boolean | null>>) =>
      groupNames(groups.map((values) => values.map((value) => ({ name: "level", value }))))
    assert.deepStrictEqual(names([[29], ["29"], ["30"], [null]]), ["29", '"29"', "30", "not set"])
    assert.deepStrictEqual(names([[true], ["true"], ["not set"], [null]]), ["true", '"true"', '"not set"', "not set"])
    assert.deepStrictEqual(names([[""], ["empty"], ["a", 1], ["a", "1"]]), ['""', '"empty"', '"a" · 1', '"a" · "1"'])
    // Two metrics have the same groups, and the group that merges the rest may be called as one that is shown.
    assert.deepStrictEqual(names([["ios"], ["ios"], ["Other"], ["Other"], []]), ["ios", "ios", "Other", "Other", ""])
  })

  it("are groups of a funnel of their own, also where two values read the same", () => {
    const value = (one: string | number) => ({
      breakdown: [{ name: "level", value: one }],
      steps: [],
      overallConversion: 0
    })
    const groups = funnelGroups({ series: [value(29), value("29")] }, ['"29"'], new Map())
    assert.deepStrictEqual(
      groups.map(({ key, color, isHidden }) => [key, color, isHidden]),
      [
        ["29", 0, false],
        ['"29"', 1, true]
      ]
    )
  })
})
