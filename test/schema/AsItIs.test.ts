import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Either, FastCheck as fc, Option, Schema } from "effect"
import { Filter, PlayerFilter } from "../../schema/analytics/Filters.ts"
import { plainlyOf } from "../../schema/Plainly.ts"

const unsound: ReadonlyArray<unknown> = [
  null,
  "text",
  [],
  {},
  { source: "property", name: "", operator: "is", value: 1 },
  { source: "property", name: "level", operator: "is" },
  { source: "property", name: "level", operator: "between", value: [1] },
  { source: "property", name: "level", operator: "is", value: Number.POSITIVE_INFINITY },
  { source: "property", name: "level", operator: "is", value: Array.from({ length: 1001 }, () => 1) },
  { source: "cohort", name: "Testers", operator: "isIn", value: [] },
  { source: "cohort", name: "Testers", operator: "is", value: [1] },
  { source: "cohort", name: "Testers", operator: "isIn", value: [1.5] }
]

for (const [name, schema] of [
  ["a filter", Filter],
  ["a filter of players", PlayerFilter]
] as const)
  describe(`${name} that is taken as it is`, () => {
    const asItIs = Schema.make<unknown, unknown>(schema.ast)
    const inFull = Schema.make<unknown, unknown>(Option.getOrThrow(plainlyOf(schema.ast)).inFull)
    const [decode, encode] = [Schema.decodeUnknownEither(asItIs), Schema.encodeUnknownEither(asItIs)]
    const [decodeInFull, encodeInFull] = [Schema.decodeUnknownEither(inFull), Schema.encodeUnknownEither(inFull)]

    it("is what is decoded and encoded in full", () =>
      fc.assert(
        fc.property(Arbitrary.make(asItIs), (filter) => {
          assert.deepStrictEqual(decode(filter), decodeInFull(filter))
          assert.deepStrictEqual(encode(filter), encodeInFull(filter))
          assert.strictEqual(Either.getOrThrow(decode(filter)), filter)
        })
      ))

    it.each(unsound)("is refused as in full: %j", (value) => {
      assert.strictEqual(Either.isLeft(decode(value)), Either.isLeft(decodeInFull(value)))
      assert.isTrue(Either.isLeft(decode(value)))
      assert.isTrue(Either.isLeft(encode(value)))
    })

    it("loses fields that it does not know, as in full", () => {
      const filter = { source: "property", name: "level", operator: "is", value: 1 }
      assert.deepStrictEqual(decode({ ...filter, other: true }), Either.right(filter))
    })
  })
