import { assert, describe, it } from "@effect/vitest"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { oldestMarkers } from "../../../../../src/adapters/sqlite/events/file/RetentionProof.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"

const day = 86_400_000
const now = Date.UTC(2026, 9, 1)

const run = (job: Generator<void, unknown>) => {
  while (job.next().done !== true);
}

const filled = () => {
  const db = openForWriting(":memory:")
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 30, sealAt: 65_536 })
  for (let part = 0; part < 6; part++) {
    const events = Array.from({ length: 60 }, (_, at) => ({
      markerId: `00000000-0000-4000-8000-${String(part * 60 + at).padStart(12, "0")}`,
      type: at % 3 === 0 ? "Rare" : "Often",
      unitId: "u",
      sessionId: null,
      serverId: null,
      timestamp: now - (at + 0.5) * (day / 2),
      receivedAt: now,
      clamped: false,
      arguments: {},
      properties: {},
      position: null
    }))
    writer.commit([{ environmentId: 1, frame: encodeFrame(now, events) }])
    run(writer.seal())
    run(writer.compact())
  }
  return { db, writer }
}

describe("markers past retention", () => {
  it("C4: are gone from the disk within a day, of every type by its own days, and the doctor can tell", () => {
    const { db, writer } = filled()
    const limit = { before: now - 5 * day, types: new Map([["Rare", now - 2 * day]]) }
    const dayBefore = { before: limit.before - day, types: new Map([["Rare", now - 3 * day]]) }
    const look = () => oldestMarkers(db, () => dayBefore)[0]
    assert.isAbove(look()?.past ?? 0, 200)
    run(writer.maintain({ now, retention: [{ environmentId: 1, ...limit }] }))
    assert.deepInclude(look(), { past: 0, unread: 0 })
    assert.isAtLeast(look()?.oldest ?? 0, dayBefore.before)
  })

  it("C4: are found in the tail as well", () => {
    const { db, writer } = filled()
    run(writer.maintain({ now, retention: [{ environmentId: 1, before: now - 5 * day }] }))
    const old = { markerId: "00000000-0000-4000-8000-999999999999", type: "Often", unitId: "u", sessionId: null }
    const rest = { serverId: null, receivedAt: now, clamped: false, arguments: {}, properties: {}, position: null }
    const frame = encodeFrame(now, [{ ...old, ...rest, timestamp: now - 20 * day }])
    writer.commit([{ environmentId: 1, frame }])
    assert.deepInclude(oldestMarkers(db, () => ({ before: now - 6 * day }))[0], { past: 1, oldest: now - 20 * day })
  })
})
