import { deserialize, serialize } from "node:v8"
import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { packed, unpack } from "../../../../../src/adapters/sqlite/events/threads/PackedCells.ts"
import type { ReaderReply } from "../../../../../src/adapters/sqlite/events/threads/Protocol.ts"

const meta = { rowsScanned: 1, elapsedMs: 1, highestSequence: 1, damaged: [], incomplete: null }
const number = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const cell = fc.record({ column: number, row: number, count: number, units: number }, { noNullPrototype: true })

const sent = (reply: ReaderReply<unknown>): unknown => {
  const received = deserialize(serialize(packed(reply)))
  unpack(received)
  return received
}

it("The cells of a heatmap arrive as they were sent", () =>
  fc.assert(
    fc.property(fc.array(cell), (cells) => {
      const answer = { cells, totalEvents: 3, uniqueUsers: 2, insideBounds: 1 }
      const reply = { type: "answer" as const, id: 1, answer, meta }
      assert.deepStrictEqual(sent(reply), reply)
    })
  ))

it.each<ReaderReply<unknown>>([
  { type: "ready" },
  { type: "failed", id: null, message: "no thread" },
  { type: "answer", id: 1, answer: null, meta },
  { type: "answer", id: 1, answer: 7, meta },
  { type: "answer", id: 1, answer: { cells: [{ count: 1 }], series: [] }, meta }
])("Any other reply is sent as it is: %j", (reply) => assert.deepStrictEqual(sent(reply), reply))
