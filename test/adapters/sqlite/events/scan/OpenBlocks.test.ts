import { assert, describe, it } from "@effect/vitest"
import { OpenBlocks, type Run } from "../../../../../src/adapters/sqlite/events/scan/Grid.ts"

const run = (at: number): Run => ({ rows: null, from: 0, to: 1, isWhole: true, groups: null, at })

describe("what is decoded of blocks", () => {
  it("is decoded once for all ranges that a block has runs in, and let go with the last run", () => {
    const decoded: Array<number> = []
    const blocks = new OpenBlocks([[run(0), run(1)], [run(0)], []], (at) => decoded.push(at))
    for (const [at, range] of [
      [0, 0],
      [1, 0],
      [0, 1]
    ] as const)
      blocks.of(at, range)
    assert.deepStrictEqual(decoded, [0, 1])
    // What is asked for once more has to be decoded again, so nothing holds it.
    blocks.of(0, 1)
    blocks.of(1, 0)
    assert.deepStrictEqual(decoded, [0, 1, 0, 1])
  })
})
