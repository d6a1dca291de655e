import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Option } from "effect"
import { ImagesNode } from "../../../src/adapters/node/Images.ts"
import { Images } from "../../../src/ports/access/Images.ts"
import { gif, jpeg, png, svg, webp } from "../../support/access/Pictures.ts"
import { runCount } from "../../support/Runs.ts"

const inspect = (bytes: Uint8Array) =>
  Effect.flatMap(Images, (images) => images.inspect(bytes)).pipe(Effect.provide(ImagesNode))

const pictures = [
  ["image/png", png],
  ["image/jpeg", jpeg],
  ["image/webp", webp],
  ["image/gif", gif]
] as const

describe("images", () => {
  it.effect.each(pictures)("reads type and size of %s", ([type, picture]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* inspect(picture(640, 480)), Option.some({ type, width: 640, height: 480 }))
    })
  )

  it.effect.each(pictures)("takes no %s cut short or without an area", ([_, picture]) =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone(yield* inspect(picture(640, 480).slice(0, 8))))
      if (picture !== webp) assert.isTrue(Option.isNone(yield* inspect(picture(0, 480))))
    })
  )

  it.effect("takes a JPEG with the segments that cameras write, and none that leads nowhere", () =>
    Effect.gen(function* () {
      const whole = jpeg(640, 480)
      const [head, size] = [whole.slice(0, 20), whole.slice(20)]
      const segment = (length: number) => [0xff, 0xe2, length >> 8, length & 0xff, ...new Uint8Array(length - 2)]
      const withSegments = (count: number, length: number) =>
        Uint8Array.from([...head, ...Array.from({ length: count }, () => segment(length)).flat(), ...size])
      for (const bytes of [withSegments(60, 10_000), withSegments(150, 4), withSegments(1, 65_535)]) {
        assert.deepStrictEqual(yield* inspect(bytes), Option.some({ type: "image/jpeg", width: 640, height: 480 }))
      }
      const nowhere = Uint8Array.from([...head, ...new Uint8Array(1000), ...size])
      for (const bytes of [withSegments(100_000, 4), nowhere]) assert.isTrue(Option.isNone(yield* inspect(bytes)))
    })
  )

  it.effect("takes no drawing, text or nothing", () =>
    Effect.gen(function* () {
      for (const bytes of [svg, new TextEncoder().encode("hello"), new Uint8Array()]) {
        assert.isTrue(Option.isNone(yield* inspect(bytes)))
      }
    })
  )

  it("never fails, whatever follows a true beginning", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.constantFrom(...pictures),
        FastCheck.uint8Array({ maxLength: 200 }),
        FastCheck.nat(40),
        async ([_, picture], noise, kept) => {
          const found = await Effect.runPromise(inspect(Uint8Array.from([...picture(9, 9).slice(0, kept), ...noise])))
          assert.isTrue(Option.isNone(found) || (found.value.width >= 1 && found.value.height >= 1))
        }
      ),
      { numRuns: runCount(1000) }
    ))
})
