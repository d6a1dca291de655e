import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Option, Schema } from "effect"
import { vi } from "vitest"
import { checkOf, problemsOf } from "../../schema/Checks.ts"
import { Report } from "../../schema/Report.ts"
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

  it("are looked at item by item only where one of them is wrong", () => {
    const check = checkOf(CohortRequest, { isStrict: true })
    const entered = vi.spyOn(Report.prototype, "enter")
    const unitIds = Array.from({ length: 1000 }, (_, at) => (at % 2 === 0 ? at : `u${at}`))
    assert.isUndefined(problemsOf(check, bodyOf(unitIds)))
    assert.isAtMost(entered.mock.calls.length, 20)
    assert.strictEqual(problemsOf(check, bodyOf([...unitIds, ""])), "unitIds.1000: expected 1 to 256 characters")
    assert.isAbove(entered.mock.calls.length, 1000)
    entered.mockRestore()
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
