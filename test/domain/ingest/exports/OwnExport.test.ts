import { assert, describe, it } from "@effect/vitest"
import type { StoredEvent } from "../../../../src/domain/analytics/markers/Event.ts"
import { markerColumns, markerRow } from "../../../../src/domain/analytics/table/MarkerTable.ts"
import { ndjsonRows } from "../../../../src/domain/analytics/table/Ndjson.ts"
import { asSent } from "../../../../src/domain/ingest/exports/OwnExport.ts"
import { readMarker } from "../../../../src/domain/ingest/Marker.ts"

const receivedAt = Date.UTC(2026, 10, 22)

const full: StoredEvent = {
  sequence: 7,
  markerId: "0d4b6a52-8b39-4f2c-9a55-3c1de0f4a111",
  type: "Level",
  unitId: "ann",
  sessionId: "one",
  serverId: "arena-3",
  timestamp: receivedAt - 1234,
  receivedAt,
  clamped: false,
  arguments: { level: 3, "boss.name": "Ash", tags: ["a", "b"], isLast: true },
  properties: { platform: "iOS", level: "of the device" },
  position: [1, 2.5, -3]
}

const events: ReadonlyArray<StoredEvent> = [
  full,
  { ...full, position: null },
  { ...full, unitId: null, sessionId: null, serverId: null, arguments: {}, properties: {}, position: null },
  { ...full, unitId: "", arguments: {} },
  { ...full, clamped: true }
]

describe("markers of an export of ours", () => {
  it.each(events)("are the same markers when they are imported: %j", ({ sequence: _, ...event }) => {
    const line = ndjsonRows(markerColumns, [markerRow({ ...event, sequence: 7 })])
    const outcome = readMarker(asSent(JSON.parse(line)), { receivedAt, retention: 1e12, isImport: true })
    assert.deepStrictEqual(outcome, { _tag: "Kept", marker: { ...event, unitId: event.unitId || null } })
  })

  it("are told from those of games, which stay as they are", () => {
    for (const sent of [
      null,
      "Level",
      { eventName: "Level", unitId: "ann" },
      { type: "Level", value: 3, userId: "ann", timestamp: 1 }
    ])
      assert.strictEqual(asSent(sent), sent)
  })
})
