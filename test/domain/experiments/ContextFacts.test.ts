import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Context } from "../../../src/domain/experiments/Context.ts"
import { ContextSightings } from "../../../src/domain/experiments/ContextFacts.ts"

const context: fc.Arbitrary<Context> = fc.dictionary(
  fc.constantFrom("level", "country", "tags"),
  fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("DE", "FR", ""), fc.boolean(), fc.constant(null)),
  { noNullPrototype: true }
)

const sightingsOf = (contexts: ReadonlyArray<Context>, from: number): ContextSightings => {
  const sightings = new ContextSightings()
  for (const [at, each] of contexts.entries()) sightings.add(each, from + at)
  return sightings
}

describe("context sightings", () => {
  it("in two parts, one followed by the other, are the same as gathered in one", () => {
    fc.assert(
      fc.property(fc.array(context), fc.array(context), (first, second) => {
        const parts = sightingsOf(first, 0).followedBy(sightingsOf(second, first.length))
        const whole = sightingsOf([...first, ...second], 0)
        assert.deepStrictEqual([...parts.addedTo([])], [...whole.addedTo([])])
        assert.strictEqual(parts.bytes, whole.bytes)
      })
    )
  })

  it("tell how much memory they hold, which grows with names and values and not with repetitions", () => {
    const sightings = sightingsOf([{ country: "DE" }], 0)
    const { bytes } = sightings
    assert.isAbove(bytes, 0)
    sightings.add({ country: "DE" }, 1)
    assert.strictEqual(sightings.bytes, bytes)
    sightings.add({ country: "FR" }, 2)
    assert.isAbove(sightings.bytes, bytes)
  })
})
