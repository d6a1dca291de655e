import { assert, describe, it } from "@effect/vitest"
import { bytesOfJoined, joined, type RowMark } from "../../../../../src/adapters/sqlite/events/read/MarkedRows.ts"
import { blockOf } from "../BlockOf.ts"

const block = blockOf({ rows: 8 })

const mark = (bits: number, others: number, from: number, to: number, rows: Uint32Array | null = null): RowMark => ({
  selection: { block, rows, from, to },
  bits,
  others
})

describe("the marked rows of a block", () => {
  it("take no memory where all marks are of the same rows", () => {
    const picked = Uint32Array.of(1, 3, 4)
    for (const rows of [null, picked]) {
      const marks = [mark(1, 0, 0, 3, rows), mark(4, 2, 0, 3, rows), mark(1 << 31, 8, 0, 3, rows)]
      assert.deepStrictEqual(joined({ block, marks }), { rows, from: 0, to: 3, bits: 5 | (1 << 31), others: 10 })
      assert.strictEqual(bytesOfJoined({ block, marks }), 0)
    }
  })

  it("carry the bits of their own marks where these are of different rows", () => {
    const marks = [mark(1, 0, 0, 4), mark(2, 0, 2, 6), mark(4, 0, 0, 2, Uint32Array.of(3, 7))]
    const { rows, from, to, bits, others } = joined({ block, marks })
    assert.deepStrictEqual([...(rows ?? [])].slice(from, to), [0, 1, 2, 3, 4, 5, 7])
    assert.deepStrictEqual(bits, Uint8Array.of(1, 1, 3, 7, 2, 2, 0, 4))
    assert.strictEqual(others, 0)
    assert.isAbove(bytesOfJoined({ block, marks }), 0)
  })
})
