import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { draw } from "../../../src/domain/access/Identicon.ts"

const columnsOf = (svg: string) => [...svg.matchAll(/M(\d+) (\d+)h20v20h-20z/g)].map(([, x, y]) => `${x} ${y}`)

describe("identicon", () => {
  it.prop("is the same for the same name, and symmetric", [fc.uuid()], ([name]) => {
    assert.strictEqual(draw(name), draw(name))
    const cells = columnsOf(draw(name))
    const mirrored = cells.map((cell) => cell.replace(/^\d+/, (x) => String(80 - Number(x))))
    assert.deepStrictEqual(mirrored.sort(), cells.sort())
  })

  it("differs from person to person", () => {
    const names = fc.sample(fc.uuid(), { numRuns: 200, seed: 1 })
    assert.isAtLeast(new Set(names.map(draw)).size, 199)
  })

  it("is an image and nothing else, whatever the name", () => {
    assert.match(draw('"><script>'), /^<svg [^<]*><rect [^<]*\/><path [^<]*\/><\/svg>$/)
  })
})
