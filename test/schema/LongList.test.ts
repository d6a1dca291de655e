import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Option, Schema } from "effect"
import { checkOf, problemsOf } from "../../schema/Checks.ts"
import { CohortRequest } from "../../schema/cohorts/CohortRequests.ts"
import { text } from "../../schema/Text.ts"
import { runCount } from "../support/Runs.ts"

const item = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.integer({ min: 250, max: 260 }).map((length) => "x".repeat(length)),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(null, true, 2 ** 60, -0, {}, [])
)

const bodyOf = (unitIds: unknown) => ({ name: "whales", kind: "static", unitIds })

describe("long lists", () => {
  const accepts = Schema.is(Schema.Array(Schema.Union(text(1, 256), Schema.Int)))
  const decode = Schema.decodeUnknownOption(CohortRequest)

  it("accept what their items' schema accepts", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), (unitIds) => {
        const decoded = Option.map(decode(bodyOf(unitIds)), (body) => ("unitIds" in body ? body.unitIds : null))
        assert.deepStrictEqual(decoded, accepts(unitIds) ? Option.some(unitIds) : Option.none())
      }),
      { numRuns: runCount(300) }
    )
  })

  it("name the problem of each item", () => {
    const check = checkOf(CohortRequest, { isStrict: true })
    assert.strictEqual(
      problemsOf(check, bodyOf(["a", "", 1.5, 3])),
      "unitIds.1: expected 1 to 256 characters; unitIds.2: expected a whole number"
    )
    assert.match(
      problemsOf(check, bodyOf(Array.from({ length: 100_001 }, () => "u"))) ?? "",
      /^unitIds: expected .*100/
    )
    assert.match(
      problemsOf(check, { name: "Players", kind: "static" }) ?? "",
      /^unitIds: missing, expected a list of at most 100000 items/
    )
    assert.isUndefined(problemsOf(check, bodyOf([])))
  })
})
