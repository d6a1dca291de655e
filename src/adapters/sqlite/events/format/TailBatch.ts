import { ByteReader } from "../bytes/ByteReader.ts"
import { ByteWriter } from "../bytes/ByteWriter.ts"

/**
 * What one request contributed to a committed batch. `skipped` lists the indices of its events that were duplicates.
 */
export interface TailPart {
  readonly environmentId: number
  readonly firstSequence: number
  readonly skipped: ReadonlyArray<number>
  readonly frame: Uint8Array
}

export const encodeTailBatch = (parts: ReadonlyArray<TailPart>): Uint8Array => {
  const out = new ByteWriter(parts.reduce((bytes, part) => bytes + part.frame.length + part.skipped.length * 4 + 32, 0))
  for (const part of parts) {
    out.varint(part.environmentId)
    out.varint(part.firstSequence)
    out.varint(part.skipped.length)
    for (const index of part.skipped) out.varint(index)
    out.varint(part.frame.length)
    out.raw(part.frame)
  }
  return out.bytes.subarray(0, out.length)
}

export const decodeTailBatch = (data: Uint8Array): ReadonlyArray<TailPart> => {
  const from = new ByteReader(data)
  const parts: Array<TailPart> = []
  while (!from.atEnd) {
    const environmentId = from.varint()
    const firstSequence = from.varint()
    const skipped = Array.from({ length: from.varint() }, () => from.varint())
    parts.push({ environmentId, firstSequence, skipped, frame: from.raw(from.varint()) })
  }
  return parts
}
