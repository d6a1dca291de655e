import { assert, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { vi } from "vitest"
import { SegmentBuilder } from "../../../../src/adapters/sqlite/events/format/SegmentBuilder.ts"
import type { Event } from "../../../../src/domain/analytics/markers/Event.ts"
import { append, ask, close, inDirectory, modes, open } from "./Store.ts"

const now = Date.UTC(2026, 2, 10, 12)
const markersInRequest = 50
const namesInMarker = 60

let names = 0
const event = (own: Event["arguments"]): Event => ({
  markerId: randomUUID(),
  type: "Level",
  unitId: "u1",
  sessionId: null,
  serverId: null,
  timestamp: now,
  receivedAt: now,
  clamped: false,
  arguments: own,
  properties: {},
  position: null
})
const strange = () => event(Object.fromEntries(Array.from({ length: namesInMarker }, () => [`name${names++}`, 1])))

describe("E2: an environment beside one with thousands of names in the tail", () => {
  it("is answered without decoding them", () =>
    inDirectory(async (file) => {
      const store = await open(modes[1]!.changes(file))
      await append(store, 1, now, Array.from({ length: markersInRequest }, strange))
      await append(store, 2, now, [event({ level: 1 })])
      const cells = vi.spyOn(SegmentBuilder.prototype, "cells")
      const namesOf = async (environmentId: number) => {
        const asked = await ask(store, environmentId, { kind: "names", plan: { source: "argument", type: null } })
        assert(asked._tag === "Answered")
        return asked.answer.length
      }
      assert.strictEqual(await namesOf(2), 1)
      const columns = new Set(cells.mock.calls.flat())
      assert.isBelow(columns.size, 10)
      assert.strictEqual(await namesOf(1), markersInRequest * namesInMarker)
      assert.isAbove(new Set(cells.mock.calls.flat()).size, markersInRequest * namesInMarker)
      cells.mockRestore()
      await close(store)
    }))
})
