import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import type { Operator } from "../../../src/domain/analytics/filter/Filter.ts"
import type { Context } from "../../../src/domain/experiments/Context.ts"
import { isDistinctId, flatten, sectionsOf, validate } from "../../../src/domain/experiments/Context.ts"
import { isNewUser } from "../../../src/domain/experiments/UnitSight.ts"
import type { Targeting } from "../../../src/domain/experiments/Targeting.ts"
import {
  admits,
  asksForSights,
  everyone,
  matches,
  newUserProperty,
  requiredProperties
} from "../../../src/domain/experiments/Targeting.ts"
import { CohortId } from "../../../src/domain/Ids.ts"

const context: Context = {
  "properties.level": 12,
  "properties.version": "1.10",
  "properties.tags": ["vip", "beta"],
  "properties.nothing": null,
  "roblox.country": "DE",
  "unit.isVip": true
}

const nobody: ReadonlySet<CohortId> = new Set()

const holds = (property: string, operator: Operator, ...operands: ReadonlyArray<string | number | boolean>) =>
  matches({ ...everyone, conditions: [{ property, operator, operands }] }, context, nobody, null)

describe("targeting", () => {
  const cases: ReadonlyArray<readonly [boolean, Parameters<typeof holds>]> = [
    [true, ["roblox.country", "is", "DE", "AT"]],
    [false, ["roblox.country", "is", "de"]],
    [true, ["roblox.country", "isNot", "FR"]],
    [true, ["roblox.country", "contains", "d"]],
    [false, ["roblox.country", "notContains", "D"]],
    [true, ["properties.level", "equal", 12]],
    [true, ["properties.level", "equal", "12.0"]],
    [true, ["properties.level", "notEqual", 13]],
    [true, ["properties.level", "greaterThan", 11]],
    [false, ["properties.level", "greaterThan", 12]],
    [true, ["properties.level", "greaterThanOrEqual", 12]],
    [true, ["properties.level", "lessThan", "100"]],
    [true, ["properties.level", "lessThanOrEqual", 12]],
    [true, ["properties.level", "between", 12, 15]],
    [false, ["properties.level", "between", 13, 15]],
    [true, ["properties.version", "is", "1.10"]],
    [false, ["properties.version", "is", "1.1"]],
    [true, ["properties.tags", "is", "beta"]],
    [false, ["properties.tags", "isNot", "beta"]],
    [true, ["properties.tags", "isIn", "alpha", "beta"]],
    [false, ["properties.tags", "isNotIn", "alpha", "beta"]],
    [true, ["properties.level", "isSet"]],
    [false, ["properties.nothing", "isSet"]],
    [true, ["properties.nothing", "isNotSet"]],
    [true, ["properties.missing", "isNotSet"]],
    [true, ["properties.missing", "isNot", "x"]],
    [false, ["properties.missing", "lessThan", 5]],
    [false, ["toString", "isSet"]]
  ]
  for (const [expected, call] of cases) {
    it(`${call.join(" ")} is ${expected}`, () => assert.strictEqual(holds(...call), expected))
  }

  it("needs all conditions and any of the cohorts", () => {
    const [first, second] = [CohortId.make(1), CohortId.make(2)]
    const level = { property: "properties.level", operator: "is", operands: [12] } as const
    const country = { property: "roblox.country", operator: "is", operands: ["FR"] } as const
    const targeting: Targeting = { ...everyone, cohortIds: [first, second], conditions: [level] }
    assert.isTrue(matches(targeting, context, new Set([second]), null))
    assert.isFalse(matches(targeting, context, nobody, null))
    assert.isFalse(matches({ ...targeting, conditions: [level, country] }, context, new Set([first]), null))
    assert.isTrue(matches(everyone, {}, nobody, null))
  })

  it("B4: for new users asks the server at enrolment, and only then, whatever the client says", () => {
    const newcomers: Targeting = { ...everyone, newUsersOnly: true }
    assert.isTrue(admits(newcomers, {}, nobody, true))
    for (const answer of [{}, { "unit.isNewUser": true }]) {
      assert.isFalse(admits(newcomers, answer, nobody, false))
      assert.isTrue(matches(newcomers, answer, nobody, false))
    }
  })

  it("B4: answers conditions on unit.isNewUser itself, and lets nobody in by them while it does not know", () => {
    const rows: ReadonlyArray<
      readonly [operator: "is" | "isNot" | "isSet" | "isNotSet", isNew: boolean | null, holds: boolean]
    > = [
      ["is", true, true],
      ["is", false, false],
      ["is", null, false],
      ["isNot", true, false],
      ["isNot", false, true],
      ["isNot", null, false],
      ["isSet", false, true],
      ["isNotSet", null, false]
    ]
    for (const [operator, isNew, holds] of rows) {
      const condition = { property: newUserProperty, operator, operands: operator.endsWith("Set") ? [] : [true] }
      const targeting: Targeting = { ...everyone, conditions: [condition] }
      for (const claim of [{}, { "unit.isNewUser": true }, { "unit.isNewUser": false }])
        assert.strictEqual(admits(targeting, claim, nobody, isNew), holds, `${operator} ${isNew}`)
      assert.isTrue(asksForSights(targeting))
      assert.deepStrictEqual(requiredProperties([targeting]), [])
    }
    assert.isFalse(asksForSights(everyone))
    assert.isTrue(asksForSights({ ...everyone, newUsersOnly: true }))
  })

  it("B4: a unit is new for a day after its first sight, and only where that came after the experiment's start", () => {
    const day = 86_400_000
    const [startsAt, seen] = [10 * day, 12 * day]
    const rows: ReadonlyArray<readonly [firstSeenAt: number, now: number, isNew: boolean]> = [
      [seen, seen, true],
      [seen, seen + day, true],
      [seen, seen + day + 1, false],
      [startsAt, startsAt, true],
      [startsAt - 1, startsAt, false]
    ]
    for (const [firstSeenAt, now, isNew] of rows) assert.strictEqual(isNewUser(firstSeenAt, startsAt, now), isNew)
  })

  it("names the properties it asks for, once", () => {
    const condition = (property: string) => ({ property, operator: "isSet", operands: [] }) as const
    assert.deepStrictEqual(
      requiredProperties([
        { ...everyone, conditions: [condition("properties.b"), condition("properties.a")] },
        { ...everyone, conditions: [condition("properties.b")], newUsersOnly: true }
      ]),
      ["properties.a", "properties.b"]
    )
  })
})

describe("context", () => {
  const refused = (properties: Record<string, unknown>) => Either.getOrThrow(Either.flip(validate(properties)))
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`properties.${index}`, 1]))

  it("takes up to 100 properties of scalars, null and lists of one type", () => {
    assert.isTrue(Either.isRight(validate(many(100))))
    assert.deepStrictEqual(validate(context), Either.right(context))
    assert.isTrue(Either.isRight(validate({ empty: [], ["x".repeat(128)]: Array.from({ length: 100 }, () => true) })))
  })

  it("B1: names properties by section and key, whichever of the two forms the client sends", () => {
    const flat = (sections: Record<string, unknown>) => Either.getOrThrow(flatten(sections))
    assert.deepStrictEqual(flat({ properties: { level: 3 }, roblox: { device: "pc", placeId: 7 } }), {
      "properties.level": 3,
      "roblox.device": "pc",
      "roblox.placeId": 7
    })
    assert.deepStrictEqual(flat({ properties: { "properties.level": 3, "a.b": 1 } }), {
      "properties.level": 3,
      "properties.a.b": 1
    })
    assert.deepStrictEqual(flat({}), {})
    for (const each of [{ properties: { level: 3, "a.b": null }, roblox: { device: ["pc"] } }, {}]) {
      assert.deepStrictEqual(flat(sectionsOf(flat(each))), flat(each))
    }
  })

  it("B1: refuses sections that are none, and counts the properties of all of them", () => {
    const refused = (sections: Record<string, unknown>) => Either.getOrThrow(Either.flip(flatten(sections)))
    for (const bad of [3, null, "x", [1]])
      assert.deepStrictEqual(refused({ roblox: bad }), { reason: "SectionInvalid", name: "roblox" })
    assert.deepStrictEqual(refused({ roblox: { device: {} } }), { reason: "ValueInvalid", name: "roblox.device" })
    assert.deepStrictEqual(refused({ roblox: { "": 1 } }), { reason: "NameInvalid", name: "roblox." })
    assert.strictEqual(refused({ properties: many(60), roblox: many(41) }).reason, "TooManyProperties")
    assert.isTrue(Either.isRight(flatten({ properties: many(60), roblox: many(40) })))
  })

  it("refuses the whole of it for one bad property", () => {
    assert.deepStrictEqual(refused(many(101)), { reason: "TooManyProperties", name: null })
    assert.deepStrictEqual(refused({ "": 1 }), { reason: "NameInvalid", name: "" })
    assert.strictEqual(refused({ ok: 1, ["x".repeat(129)]: 1 }).reason, "NameInvalid")
    for (const value of [{}, [1, "a"], [null], [[1]], Array.from({ length: 101 }, () => 1), undefined, NaN, Infinity]) {
      assert.deepStrictEqual(refused({ good: 1, bad: value }), { reason: "ValueInvalid", name: "bad" })
    }
  })

  it("ids have 1 to 256 characters", () => {
    assert.deepStrictEqual(["", "x", "x".repeat(256), "x".repeat(257)].map(isDistinctId), [false, true, true, false])
  })
})
