import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { pageOfIds } from "../../../../src/domain/analytics/question/UnitList.ts"
import { runCount } from "../../../support/Runs.ts"

/** Characters whose order differs between UTF-8 and UTF-16 are among them. */
const id = fc.array(fc.constantFrom("a", "b", "é", "\ud7ff", "\ue000", "\uffff", "😀", "𝒳"), {
  minLength: 1,
  maxLength: 3
})
const ids = fc.uniqueArray(
  id.map((characters) => characters.join("")),
  { maxLength: 30 }
)

it("A page is the first ids after another, in the order of their bytes, whatever order they come in", () => {
  fc.assert(
    fc.property(ids, fc.option(id), fc.integer({ min: 1, max: 40 }), (all, place, limit) => {
      const after = place?.join("") ?? null
      const sorted = all.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      const rest = sorted.filter((each) => after === null || Buffer.compare(Buffer.from(each), Buffer.from(after)) > 0)
      assert.deepStrictEqual(pageOfIds(all, { after, limit }), rest.slice(0, limit))
    }),
    { numRuns: runCount(500) }
  )
})
