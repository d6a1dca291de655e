import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Tile } from "../../../../src/domain/analytics/board/Board.ts"
import { overlapIn } from "../../../../src/domain/analytics/board/Board.ts"
import { QueryId } from "../../../../src/domain/Ids.ts"

const queryId = QueryId.make("00000000-0000-4000-8000-000000000002")

const tile: fc.Arbitrary<Tile> = fc
  .record({
    x: fc.integer({ min: 0, max: 11 }),
    y: fc.integer({ min: 0, max: 6 }),
    w: fc.integer({ min: 1, max: 4 }),
    h: fc.integer({ min: 1, max: 4 })
  })
  .map((place) => ({ ...place, queryId, display: null, time: null }))

const cellsOf = ({ x, y, w, h }: Tile): ReadonlyArray<string> =>
  Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`)

describe("tiles of a board", () => {
  it.prop("overlap exactly when they share a cell", [fc.array(tile, { maxLength: 6 })], ([tiles]) => {
    const cells = tiles.flatMap(cellsOf)
    const found = overlapIn(tiles)
    assert.strictEqual(found !== null, new Set(cells).size < cells.length)
    if (found === null) return
    const [one, other] = found.map((at) => cellsOf(tiles[at]!))
    assert.isTrue(one!.some((cell) => other!.includes(cell)))
  })
})
