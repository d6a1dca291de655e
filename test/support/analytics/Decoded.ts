import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import { FrameDecoder } from "../../../src/adapters/sqlite/events/format/FrameDecoder.ts"
import { frameHeaderBytes } from "../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { markerIdBytes, readMarkerId } from "../../../src/adapters/sqlite/events/bytes/MarkerId.ts"
import type { TailPart } from "../../../src/adapters/sqlite/events/format/TailBatch.ts"

/** The events of one request as they were stored, duplicates left out, in order of sequence. */
export const decodePart = (part: TailPart): ReadonlyArray<StoredEvent> => {
  const decoder = new FrameDecoder(part.frame)
  const skipped = new Set(part.skipped)
  const events: Array<StoredEvent> = []
  for (let index = 0; index < decoder.header.count; index++) {
    const shape = decoder.next()
    const values = {
      arguments: Object.fromEntries(shape.argumentNames.map((name) => [name, decoder.value()])),
      properties: Object.fromEntries(shape.propertyNames.map((name) => [name, decoder.value()]))
    }
    if (skipped.has(index)) continue
    events.push({
      sequence: part.firstSequence + events.length,
      markerId: readMarkerId(part.frame, frameHeaderBytes + index * markerIdBytes),
      type: shape.type,
      unitId: decoder.unit === 0 ? null : decoder.text(decoder.unit - 1),
      sessionId: decoder.session === 0 ? null : decoder.text(decoder.session - 1),
      serverId: decoder.server === 0 ? null : decoder.text(decoder.server - 1),
      timestamp: decoder.timestamp,
      receivedAt: decoder.header.receivedAt,
      clamped: decoder.clamped,
      ...values,
      position: decoder.hasPosition ? [decoder.x, decoder.y, decoder.z] : null
    })
  }
  return events
}
