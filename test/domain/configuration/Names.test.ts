import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import type { Json } from "../../../src/domain/configuration/Document.ts"
import { type NameLookup, namesIn, withIds, withNames } from "../../../src/domain/configuration/Names.ts"

const nameOf: NameLookup = (kind, id) => (/^\d+$/.test(String(id)) ? `${kind} ${id}` : undefined)
const idOf: NameLookup = (kind, name) =>
  typeof name === "string" && name.startsWith(`${kind} `) ? Number(name.slice(kind.length + 1)) : undefined

const id = fc.integer({ min: 1 })
const cohort = fc.record({ type: fc.constant("cohort"), cohortId: id, in: fc.boolean() })
const filter = fc.record({
  source: fc.constantFrom("cohort", "experiment"),
  name: id.map(String),
  operator: fc.constant("isIn"),
  value: fc.array(id, { minLength: 1 })
})
const breakdown = fc.record({ source: fc.constantFrom("cohort", "experiment"), name: id.map(String) })
const experiment = fc.record({ type: fc.constant("experiment"), experimentId: id, groupId: id })
const definition: fc.Arbitrary<Json> = fc.record({
  children: fc.array(fc.oneof(cohort, filter, breakdown, experiment))
})

describe("names in the place of ids", () => {
  it("lead back to the same ids", () => {
    fc.assert(
      fc.property(definition, (value) => {
        assert.deepStrictEqual(withIds(withNames(value, false, nameOf), false, idOf), value)
      })
    )
  })

  it("stand in links of documents alone, whose other keys are the game's own", () => {
    const value = { queryId: 1, a: [{ $link: { configurationId: 2, path: ["x"] } }] }
    const named = withNames(value, true, nameOf)
    assert.deepStrictEqual(named, { queryId: 1, a: [{ $link: { configuration: "configurations 2", path: ["x"] } }] })
    assert.deepStrictEqual(namesIn(named, true), [{ kind: "configurations", name: "configurations 2" }])
  })

  it("stand in breakdowns and in what filters of experiments are about, where ids are texts", () => {
    const isIn = { operator: "isIn", value: [5] }
    const value = [
      { source: "cohort", name: "7" },
      { source: "experiment", name: "8" },
      { source: "experiment", name: "8", ...isIn },
      { source: "cohort", name: "7", ...isIn },
      { source: "argument", name: "9" }
    ]
    const named = withNames(value, false, nameOf)
    assert.deepStrictEqual(named, [
      { source: "cohort", name: "cohorts 7" },
      { source: "experiment", name: "experiments 8" },
      { source: "experiment", name: "experiments 8", operator: "isIn", value: ["groups 5"] },
      { source: "cohort", name: "7", operator: "isIn", value: ["cohorts 5"] },
      { source: "argument", name: "9" }
    ])
    assert.deepStrictEqual(withIds(named, false, idOf), value)
    assert.deepStrictEqual(namesIn(value.slice(0, 2), false), [])
    assert.deepStrictEqual(namesIn(withNames(value.slice(0, 2), false, nameOf), false), [
      { kind: "cohorts", name: "cohorts 7" },
      { kind: "experiments", name: "experiments 8" }
    ])
  })

  it("are not made up: an id without a name stays", () => {
    const value = { type: "cohort", cohortId: 7 }
    assert.deepStrictEqual(
      withNames(value, false, () => undefined),
      value
    )
  })
})
