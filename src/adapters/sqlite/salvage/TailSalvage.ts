import { ByteReader } from "../events/bytes/ByteReader.ts"
import type { Db } from "../events/file/Db.ts"
import { readFrameHeader } from "../events/format/FrameDecoder.ts"
import { addPart } from "../events/format/FrameRows.ts"
import { SegmentBuilder } from "../events/format/SegmentBuilder.ts"
import { encodeTailBatch, type TailPart } from "../events/format/TailBatch.ts"
import { readable } from "./SegmentSalvage.ts"

interface TailRow {
  readonly id: number
  readonly data: Uint8Array
}

const newIn = ({ frame, skipped }: TailPart): number => readFrameHeader(frame).count - skipped.length

const nextPart = (from: ByteReader): TailPart => {
  const environmentId = from.varint()
  const firstSequence = from.varint()
  const skipped = Array.from({ length: from.varint() }, () => from.varint())
  const part = { environmentId, firstSequence, skipped, frame: from.raw(from.varint()) }
  const builder = new SegmentBuilder(null)
  addPart(part, () => builder, { unit: () => 1, session: () => 1 })
  return part
}

/** The parts of a batch up to the first that cannot be read. */
const partsIn = (data: Uint8Array): ReadonlyArray<TailPart> => {
  const from = new ByteReader(data)
  const parts: Array<TailPart> = []
  while (!from.atEnd) {
    const part = readable(() => nextPart(from))
    if (part === undefined) break
    parts.push(part)
  }
  return parts
}

/** Puts in a batch of which only the beginning could be read; what is whole of it is told by `keepWholeParts`. */
export const insertCut = (db: Db, id: number, data: Uint8Array): void => {
  db.prepare<[number, Uint8Array]>("insert or ignore into tail (id, events, data) values (?, 0, ?)").run(id, data)
}

/**
 * Leaves in the tail what can be read and has not been sealed: `sealedUpTo` tells the first sequence of an environment that is not. Answers
 * the highest sequence of each environment with markers there.
 */
export const keepWholeParts = (db: Db, sealedUpTo: (environmentId: number) => number): ReadonlyMap<number, number> => {
  const highest = new Map<number, number>()
  const rows = db.prepare<[number], TailRow>("select id, data from tail where id > ? order by id limit 1")
  const put = db.prepare<[number, Uint8Array, number]>("update tail set events = ?, data = ? where id = ?")
  const remove = db.prepare<[number]>("delete from tail where id = ?")
  db.transaction(() => {
    for (let row = rows.get(0); row !== undefined; row = rows.get(row.id)) {
      const parts = partsIn(row.data).filter(
        ({ environmentId, firstSequence }) =>
          firstSequence >= Math.max(sealedUpTo(environmentId), (highest.get(environmentId) ?? 0) + 1)
      )
      for (const part of parts) highest.set(part.environmentId, part.firstSequence + newIn(part) - 1)
      const events = parts.reduce((sum, part) => sum + newIn(part), 0)
      if (events === 0) remove.run(row.id)
      else put.run(events, encodeTailBatch(parts), row.id)
    }
  })()
  return highest
}
