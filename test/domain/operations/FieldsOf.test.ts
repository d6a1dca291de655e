import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { fieldsOf } from "../../../src/domain/operations/audit/FieldsOf.ts"
import { document } from "../../support/configuration/Documents.ts"
import { runCount } from "../../support/Runs.ts"

describe("E8: fields of a large answer", () => {
  it("are those that parsing all of it gives", () => {
    const named = FastCheck.tuple(
      document,
      FastCheck.array(FastCheck.string()),
      FastCheck.dictionary(FastCheck.string(), FastCheck.json())
    )
    FastCheck.assert(
      FastCheck.property(named, ([nested, others, texts]) => {
        const value = JSON.parse(JSON.stringify({ ...nested, ...texts }))
        const wanted = [...new Set([...Object.keys(value).filter((_, index) => index % 2 === 0), ...others])]
        const expected = wanted.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]] as const] : []))
        const found = fieldsOf(JSON.stringify(value), wanted)
        assert.deepStrictEqual(new Map(Object.entries(found)), new Map(expected))
      }),
      { numRuns: runCount(1_000) }
    )
  })

  it("are found without reading what comes after them", () => {
    const text = `{"id":7,"name":"a \\" ] }","configuration":{${"[".repeat(1_000)}`
    assert.deepStrictEqual(fieldsOf(text, ["id", "name"]), { id: 7, name: 'a " ] }' })
  })
})
