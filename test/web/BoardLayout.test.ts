import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { inOrder, movedTo, packed, sizes } from "../../src/web/boards/Layout.ts"

describe("boards of the dashboard", () => {
  const tile = fc.record({
    x: fc.integer({ min: 0, max: 11 }),
    y: fc.integer({ min: 0, max: 20 }),
    w: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(...sizes.map(({ w }) => w))),
    h: fc.integer({ min: 1, max: 6 })
  })

  it("tiles keep their sizes, lie within twelve columns and never on each other", () => {
    fc.assert(
      fc.property(fc.array(tile, { maxLength: 12 }), (tiles) => {
        const placed = packed(inOrder(tiles))
        const taken = new Set<string>()
        for (const { x, y, w, h } of placed) {
          assert.isAtMost(x + w, 12)
          for (let column = x; column < x + w; column++) {
            for (let row = y; row < y + h; row++) {
              assert.isFalse(taken.has(`${column} ${row}`))
              taken.add(`${column} ${row}`)
            }
          }
        }
        assert.deepStrictEqual(
          placed.map(({ w, h }) => [w, h]),
          inOrder(tiles).map(({ w, h }) => [w, h])
        )
        assert.deepStrictEqual(packed(placed), placed)
      })
    )
  })

  it("a tile moves among the others, and nowhere else", () => {
    assert.deepStrictEqual(movedTo(["a", "b", "c"], 2, 0), ["c", "a", "b"])
    assert.deepStrictEqual(movedTo(["a", "b", "c"], 0, 1), ["b", "a", "c"])
    assert.deepStrictEqual(movedTo(["a", "b"], 0, 2), ["a", "b"])
    assert.deepStrictEqual(movedTo(["a", "b"], Number.NaN, 1), ["a", "b"])
  })
})
