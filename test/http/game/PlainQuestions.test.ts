import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Option, Schema } from "effect"
import { EvaluateConfiguration } from "../../../schema/game/SdkConfigurations.ts"
import { AssignUnits } from "../../../schema/game/SdkExperiments.ts"
import { isUnescaped, namedUnitsIn, plainEvaluationIn } from "../../../src/http/game/PlainQuestions.ts"
import { flawOf, surveyOf } from "../../../src/http/platform/Flaws.ts"
import { runCount } from "../../support/Runs.ts"

const text = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom("x".repeat(100), "x".repeat(101), "x".repeat(256), "x".repeat(257)),
  fc.constantFrom<unknown>(null, 7, true, {}, [])
)

const type = fc.constantFrom<unknown>("user", "user", "user", "server", "ghost", null)

const unit = fc.record({ type, distinctId: text, more: text }, { requiredKeys: ["type"] })

const question = fc.record(
  {
    unit: fc.oneof({ weight: 9, arbitrary: unit }, fc.jsonValue()),
    configuration: text,
    knownHash: text,
    context: fc.constantFrom<unknown>({ properties: {} }, null),
    more: text
  },
  { requiredKeys: ["unit"] }
)

/** Nothing but what is recognized by hand, as far as its texts may be. */
const plainQuestion = fc.record(
  { unit: fc.record({ type, distinctId: text }), configuration: text, knownHash: text },
  { requiredKeys: ["unit"] }
)

const named = fc.record(
  { distinctId: text, context: fc.constantFrom<unknown>({}, null), more: text },
  { requiredKeys: [] }
)

const units = fc.record(
  {
    unitType: type,
    units: fc.oneof(
      { weight: 9, arbitrary: fc.array(fc.record({ distinctId: text }), { maxLength: 4 }) },
      { weight: 3, arbitrary: fc.array(named, { maxLength: 4 }) },
      fc.constantFrom(
        Array.from({ length: 250 }, () => ({ distinctId: "a" })),
        Array.from({ length: 251 }, () => ({ distinctId: "a" }))
      ),
      fc.jsonValue()
    ),
    sharedContext: fc.constantFrom<unknown>({ properties: {} }, null),
    more: text
  },
  { requiredKeys: ["unitType"] }
)

/** The same of many units. */
const plainUnits = fc.record({
  unitType: type,
  units: fc.array(fc.record({ distinctId: text }), { minLength: 1, maxLength: 2 })
})

describe("plain questions", () => {
  it("of one unit are what the schema would decode, without a flaw", () => {
    const decode = Schema.decodeUnknownOption(EvaluateConfiguration)
    let plain = 0
    fc.assert(
      fc.property(
        fc.oneof({ weight: 6, arbitrary: plainQuestion }, { weight: 6, arbitrary: question }, fc.jsonValue()),
        (value) => {
          const json = Buffer.from(JSON.stringify(value))
          const found = plainEvaluationIn(value)
          if (found === undefined) return
          plain++
          assert.deepStrictEqual(Option.some(found), decode(value))
          if (isUnescaped(json)) assert.isUndefined(flawOf(value, surveyOf(json)))
        }
      ),
      { numRuns: runCount(3000) }
    )
    assert.isAbove(plain, 0)
    for (const value of [
      { unit: { type: "user", distinctId: "ann" } },
      { unit: { type: "server", distinctId: "a" }, configuration: "b", knownHash: "" }
    ])
      assert.deepStrictEqual(plainEvaluationIn(value), Option.getOrThrow(decode(value)))
  })

  it("of many are what the schema would decode, without a flaw", () => {
    const decode = Schema.decodeUnknownOption(AssignUnits)
    let plain = 0
    fc.assert(
      fc.property(
        fc.oneof({ weight: 6, arbitrary: plainUnits }, { weight: 6, arbitrary: units }, fc.jsonValue()),
        (value) => {
          const json = Buffer.from(JSON.stringify(value))
          const found = namedUnitsIn(value)
          if (found === undefined) return
          plain++
          const { unitType, distinctIds } = found
          const units = distinctIds.map((distinctId) => ({ distinctId }))
          assert.deepStrictEqual<unknown>(Option.some({ unitType, units }), decode(value))
          if (isUnescaped(json)) assert.isUndefined(flawOf(value, surveyOf(json)))
        }
      ),
      { numRuns: runCount(3000) }
    )
    assert.isAbove(plain, 0)
  })
})
