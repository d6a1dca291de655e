import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { Catalogue, countValue, seenValues } from "../../../../src/domain/analytics/markers/Catalogue.ts"
import { markerFields, markerTypes } from "../../../../src/domain/analytics/markers/MarkerCatalogue.ts"
import { changedMetadata } from "../../../../src/domain/analytics/markers/MarkerMetadata.ts"
import type { MetadataChange } from "../../../../src/domain/analytics/markers/MarkerMetadata.ts"
import { runCount } from "../../../support/Runs.ts"

const seen = (name: string) => ({ name, firstSeenAt: 1, lastSeenAt: 2, count30d: 3, arguments: 4 })
const said = (name: string, hidden: boolean) => ({ name, displayName: null, description: null, hidden })
const argument = (type: string, more: object = {}) => ({
  type,
  name: "speed",
  description: null,
  unit: null,
  decimals: null,
  ...more
})

describe("marker types", () => {
  it("I1: have no counts by day where some markers of these days cannot be read", () => {
    const metadata = { types: [], arguments: [] }
    assert.deepStrictEqual(markerTypes([seen("seen")], null, metadata)[0]?.perDay30, [])
    assert.lengthOf(markerTypes([seen("seen")], [], metadata)[0]?.perDay30 ?? [], 30)
  })

  it("are hidden before they are pending, and pending before they are active", () => {
    const types = [said("seen and hidden", true), said("hidden", true), said("said", false), said("both", false)]
    const metadata = { types, arguments: [argument("by its argument")] }
    assert.deepStrictEqual(
      markerTypes([seen("seen"), seen("both"), seen("seen and hidden")], [], metadata).map(({ name, status }) => [
        name,
        status
      ]),
      [
        ["both", "active"],
        ["by its argument", "pending"],
        ["hidden", "hidden"],
        ["said", "pending"],
        ["seen", "active"],
        ["seen and hidden", "hidden"]
      ]
    )
  })
})

describe("values that were seen", () => {
  it("are texts of 256 characters at most, as docs/limits.md says, and numbers and switches", () => {
    const catalogue = new Catalogue()
    const facts = catalogue.name("argument", "map", "Login")
    const longest = "x".repeat(256)
    for (const value of [longest, `${longest}x`, 1e300, false]) countValue(facts, value, 1, 0)
    const plan = { source: "argument", name: "map", type: null, search: null, limit: 10 } as const
    assert.sameDeepMembers(
      seenValues(catalogue, plan).map(({ value }) => value),
      [longest, 1e300, false]
    )
  })
})

describe("arguments of all types", () => {
  const described = [
    argument("a", { unit: "m/s", decimals: 1, description: "how fast" }),
    argument("b", { unit: "m/s", decimals: 2 })
  ]

  it("tell what the types that describe them agree on", () => {
    const [field] = markerFields([], described, null)
    assert.deepStrictEqual(field, {
      name: "speed",
      dataType: "number",
      markerTypes: ["a", "b"],
      description: "how fast",
      unit: "m/s",
      decimals: null,
      lastSeenAt: null
    })
    assert.deepStrictEqual(
      markerFields([], described, "b").map(({ markerTypes: types, decimals }) => [types, decimals]),
      [[["b"], 2]]
    )
  })

  it("keep the type that was seen, whatever is said of them", () => {
    const names = [{ name: "speed", dataType: "boolean" as const, types: ["c"], lastSeenAt: 5 }]
    const [field] = markerFields(names, described, null)
    assert.deepStrictEqual([field?.dataType, field?.markerTypes], ["boolean", ["a", "b", "c"]])
  })
})

const word = fc.constantFrom("a", "b")
const words = fc.option(word)
const decimals = fc.option(fc.nat({ max: 1 }))
const change: fc.Arbitrary<MetadataChange> = fc.record({
  types: fc.array(
    fc.record({ name: word, displayName: words, description: words, hidden: fc.boolean() }, { requiredKeys: ["name"] }),
    { maxLength: 4 }
  ),
  arguments: fc.array(
    fc.record(
      { type: word, name: word, description: words, unit: words, decimals },
      { requiredKeys: ["type", "name"] }
    ),
    { maxLength: 4 }
  )
})

describe("changes of what is said", () => {
  const empty = { types: [], arguments: [] }

  it.prop(
    "one after the other or in one request come to the same",
    [change, change],
    ([first, second]) => {
      const before = changedMetadata(empty, first)
      const after = changedMetadata(before, second)
      const together = changedMetadata(empty, {
        types: [...first.types, ...second.types],
        arguments: [...first.arguments, ...second.arguments]
      })
      for (const type of after.types) assert.deepInclude(together.types, type)
      for (const described of after.arguments) assert.deepInclude(together.arguments, described)
      const keys = together.arguments.map(({ type, name }) => type + name)
      assert.strictEqual(new Set(keys).size, keys.length)
    },
    { fastCheck: { numRuns: runCount(1000) } }
  )
})
