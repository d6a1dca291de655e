import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { ByteReader } from "../../../../../src/adapters/sqlite/events/bytes/ByteReader.ts"
import { ByteWriter } from "../../../../../src/adapters/sqlite/events/bytes/ByteWriter.ts"
import {
  indexedRowAt,
  isIndexed,
  readTimeIndex,
  rowAt,
  writeTimeIndex
} from "../../../../../src/adapters/sqlite/events/format/TimeIndex.ts"
import { runCount } from "../../../../support/Runs.ts"

const quarter = 900_000
const instant = fc.oneof(
  fc.integer({ min: -20, max: 200 }).map((at) => at * quarter),
  fc.integer({ min: -20 * quarter, max: 200 * quarter })
)

it("An index of times finds the row that the times would", () =>
  fc.assert(
    fc.property(fc.array(instant, { minLength: 1, maxLength: 60 }), fc.array(instant), (unordered, asked) => {
      const times = Float64Array.from(unordered).sort()
      const out = new ByteWriter()
      writeTimeIndex(out, times)
      const index = readTimeIndex(new ByteReader(out.finish()))
      for (const at of asked.filter(isIndexed))
        assert.strictEqual(indexedRowAt(index, at, times.length), rowAt(times, at))
    }),
    { numRuns: runCount(2000) }
  ))
