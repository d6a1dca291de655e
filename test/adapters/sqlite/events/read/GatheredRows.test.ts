import { assert, describe, it } from "@effect/vitest"
import { bytesOfRow, GatheredRows } from "../../../../../src/adapters/sqlite/events/read/GatheredRows.ts"

const either = [false, true]

describe("rows gathered by unit", () => {
  it("take the bytes that a question counts for them, in one buffer, whatever is kept of them", () => {
    for (const sequences of either)
      for (const isNarrow of either)
        for (const exclusions of either)
          for (const numberings of [0, 1, 2]) {
            const kept = { sequences, isNarrow, exclusions, numberings }
            const all = new GatheredRows(kept, 101)
            const arrays = [all.times, all.sequences, all.exclusions, ...all.numbers, all.steps]
            assert.strictEqual(new Set(arrays.map(({ buffer }) => buffer)).size, 1)
            assert.strictEqual(all.times.buffer.byteLength, 101 * bytesOfRow(kept))
            assert.strictEqual(
              arrays.reduce((sum, { byteLength }) => sum + byteLength, 0),
              101 * bytesOfRow(kept)
            )
            assert.strictEqual(all.steps.length, 101)
          }
  })
})
