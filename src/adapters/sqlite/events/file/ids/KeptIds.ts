import { dayMillis } from "../../../../../domain/Durations.ts"
import { bigEndian } from "../../bytes/BitStream.ts"
import { markerIdBytes } from "../../bytes/MarkerId.ts"
import { readFrameHeader } from "../../format/FrameDecoder.ts"
import { frameHeaderBytes } from "../../format/FrameEncoder.ts"
import { type KeyLayout, keyPage } from "../../format/KeyLayout.ts"
import { keyBytes } from "../../format/KeyPage.ts"
import { pagesPerRun } from "../../format/KeyRun.ts"
import { decodeTailBatch } from "../../format/TailBatch.ts"
import type { Db } from "../Db.ts"
import { layoutIn } from "../EventsDb.ts"

/** A marker id that the file still knows: 16 bytes at the offset, received on a UTC day (days since 1970). */
export interface KeptId {
  readonly day: number
  readonly sequence: number
  readonly bytes: Uint8Array
  readonly offset: number
}

interface Run {
  readonly id: number
  readonly day: number
  readonly first_sequence: number
  readonly layout: KeyLayout
}

const lowBits = 2 ** 32

/** Runs keep the low 32 bits of a sequence, which is not below the run's first one. */
const sequenceOf = (low: number, first: number): number => {
  const sequence = first - (first % lowBits) + low
  return sequence < first ? sequence + lowBits : sequence
}

function* sealedIds(db: Db, environmentId: number): Generator<KeptId, void, undefined> {
  const runs = db
    .prepare<[number], Run>(
      `select id, day, first_sequence, ${layoutIn(db)} from key_run where environment_id = ? order by id`
    )
    .all(environmentId)
  const pages = db.prepare<[number, number], { data: Uint8Array }>(
    "select data from key_page where id between ? and ? order by id"
  )
  for (const { id, day, first_sequence: first, layout } of runs)
    for (const { data } of pages.iterate(id * pagesPerRun, (id + 1) * pagesPerRun - 1)) {
      const bytes = bigEndian(keyPage(layout, data).records())
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      for (let offset = 0; offset < bytes.length; offset += keyBytes)
        yield { day, sequence: sequenceOf(view.getUint32(offset + markerIdBytes), first), bytes, offset }
    }
}

function* tailIds(db: Db, environmentId: number): Generator<KeptId, void, undefined> {
  for (const { data } of db.prepare<[], { data: Uint8Array }>("select data from tail order by id").iterate())
    for (const part of decodeTailBatch(data)) {
      if (part.environmentId !== environmentId) continue
      const { count, receivedAt } = readFrameHeader(part.frame)
      const [day, skipped] = [Math.floor(receivedAt / dayMillis), new Set(part.skipped)]
      let sequence = part.firstSequence
      for (let index = 0; index < count; index++)
        if (!skipped.has(index))
          yield { day, sequence: sequence++, bytes: part.frame, offset: frameHeaderBytes + index * markerIdBytes }
    }
}

/** The marker ids of an environment by which the store knows duplicates, always in the same order while nobody writes. */
export function* keptIds(db: Db, environmentId: number): Generator<KeptId, void, undefined> {
  yield* sealedIds(db, environmentId)
  yield* tailIds(db, environmentId)
}
