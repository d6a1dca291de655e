import type { StoredEvent } from "../../../domain/analytics/Event.ts"
import type { Db } from "./EventsDb.ts"
import { FrameDecoder } from "./FrameDecoder.ts"
import { frameHeaderBytes } from "./FrameEncoder.ts"
import { markerIdBytes, readMarkerId } from "./MarkerId.ts"
import { decodeTailBatch, type TailPart } from "./TailBatch.ts"

/** The events of one request as they were stored, duplicates left out, in order of sequence. */
export const decodePart = (part: TailPart): ReadonlyArray<StoredEvent> => {
  const decoder = new FrameDecoder(part.frame)
  const skipped = new Set(part.skipped)
  const events: Array<StoredEvent> = []
  for (let index = 0; index < decoder.header.count; index++) {
    const shape = decoder.next()
    const values = {
      arguments: decoder.values(shape.argumentNames),
      properties: decoder.values(shape.propertyNames)
    }
    if (skipped.has(index)) continue
    events.push({
      sequence: part.firstSequence + events.length,
      markerId: readMarkerId(part.frame, frameHeaderBytes + index * markerIdBytes),
      type: shape.type,
      unitId: decoder.unitId,
      sessionId: decoder.sessionId,
      serverId: decoder.serverId,
      timestamp: decoder.timestamp,
      receivedAt: decoder.header.receivedAt,
      clamped: decoder.clamped,
      ...values,
      position: decoder.position
    })
  }
  return events
}

/** Follows the tail of the file: every look decodes only what came since the last one and forgets what left. */
export class StoredTail {
  private readonly rows
  private readonly oldest
  private batches: Array<{ readonly id: number; readonly parts: ReadonlyMap<number, ReadonlyArray<StoredEvent>> }> = []

  constructor(db: Db) {
    this.rows = db.prepare<[number], { id: number; data: Uint8Array }>(
      "select id, data from tail where id > ? order by id"
    )
    this.oldest = db.prepare<[], { id: number | null }>("select min(id) as id from tail")
  }

  refresh(): void {
    const oldest = this.oldest.get()?.id ?? Infinity
    this.batches = this.batches.filter(({ id }) => id >= oldest)
    for (const { id, data } of this.rows.iterate(this.batches.at(-1)?.id ?? 0)) {
      const parts = new Map<number, Array<StoredEvent>>()
      for (const part of decodeTailBatch(data)) {
        const events = parts.get(part.environmentId) ?? []
        for (const event of decodePart(part)) events.push(event)
        parts.set(part.environmentId, events)
      }
      this.batches.push({ id, parts })
    }
  }

  events(environmentId: number): ReadonlyArray<StoredEvent> {
    return this.batches.flatMap(({ parts }) => parts.get(environmentId) ?? [])
  }
}
