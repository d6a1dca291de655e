import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import type { Json } from "../../../src/domain/configuration/Document.ts"
import { type NameLookup, namesIn, withIds, withNames } from "../../../src/domain/configuration/Names.ts"

const nameOf: NameLookup = (kind, id) => (typeof id === "number" ? `${kind} ${id}` : undefined)
const idOf: NameLookup = (kind, name) =>
  typeof name === "string" && name.startsWith(`${kind} `) ? Number(name.slice(kind.length + 1)) : undefined

const id = fc.integer({ min: 1 })
const cohort = fc.record({ type: fc.constant("cohort"), cohortId: id, in: fc.boolean() })
const filter = fc.record({
  source: fc.constantFrom("cohort", "experiment"),
  name: fc.constant("x"),
  value: fc.array(id, { minLength: 1 })
})
const experiment = fc.record({ type: fc.constant("experiment"), experimentId: id, groupId: id })
const definition: fc.Arbitrary<Json> = fc.record({ children: fc.array(fc.oneof(cohort, filter, experiment)) })

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

  it("are not made up: an id without a name stays", () => {
    const value = { type: "cohort", cohortId: 7 }
    assert.deepStrictEqual(
      withNames(value, false, () => undefined),
      value
    )
  })
})
