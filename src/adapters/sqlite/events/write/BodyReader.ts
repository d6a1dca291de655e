import { randomBytes } from "node:crypto"
import { LruCache, mebibyte } from "../../../../domain/LruCache.ts"
import { type Batch, withMarkerIds } from "../../../../domain/ingest/Batch.ts"
import { tally } from "../../../../domain/ingest/IngestCounts.ts"
import { NamesByType, type TypeNames } from "../../../../domain/ingest/NamesByType.ts"
import { plainBatch, type StoredBatch, type UnreadBatch } from "../../../../domain/ingest/UnreadBatch.ts"
import { markerIdBytes } from "../bytes/MarkerId.ts"
import { FrameDecoder } from "../format/FrameDecoder.ts"
import { encodeFrame } from "../format/FrameEncoder.ts"

/** The markers of a body, and the frame of those that are kept. */
export interface ReadBody {
  readonly batch: Batch
  readonly frame: Uint8Array<ArrayBuffer>
}

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  } catch {
    return undefined
  }
}

/** What became of the markers, once those that are kept are on disk, `duplicates` of them before. */
export const storedBatch = ({ batch }: ReadBody, duplicates: ReadonlyArray<number>): StoredBatch => ({
  counts: tally(batch, duplicates),
  types: duplicates.length < batch.kept.length ? [...new Set(batch.kept.map(({ type }) => type))] : []
})

/** Reads the bodies of requests for markers beside the writer, so that the server's thread need not. It takes up no names: whoever appends frames has. */
export class BodyReader {
  private readonly namesOf: (environmentId: number) => ReadonlyArray<TypeNames>
  private readonly known = new LruCache<NamesByType, number>(32 * mebibyte, ({ bytes }) => bytes)
  /** Environments whose next frame may have names that are not known here. */
  private readonly behind = new Set<number>()

  /** `namesOf` gives the names of what an environment has stored. */
  constructor(namesOf: (environmentId: number) => ReadonlyArray<TypeNames>) {
    this.namesOf = namesOf
  }

  /** The markers of a body; null where more has to be known to say what becomes of them. */
  read(environmentId: number, unread: UnreadBatch): ReadBody | null {
    const batch = plainBatch(parsed(unread.bytes), unread, this.names(environmentId))
    if (batch === null) {
      this.behind.add(environmentId)
      return null
    }
    const random = batch.withoutId === 0 ? new Uint8Array() : randomBytes(batch.withoutId * markerIdBytes)
    return { batch, frame: encodeFrame(unread.receivedAt, withMarkerIds(batch.kept, random)) }
  }

  /** A frame of somebody who takes up names is about to be stored. */
  note(environmentId: number, frame: Uint8Array): void {
    if (!this.behind.delete(environmentId)) return
    const names = this.known.get(environmentId)
    if (names === undefined) return
    for (const { type, argumentNames, propertyNames } of new FrameDecoder(frame).shapes)
      names.add(type, argumentNames, propertyNames)
    this.known.set(environmentId, names)
  }

  private names(environmentId: number): NamesByType {
    const known = this.known.get(environmentId)
    if (known !== undefined) return known
    const names = new NamesByType()
    for (const each of this.namesOf(environmentId)) names.add(each.type, each.arguments, each.properties)
    this.known.set(environmentId, names)
    return names
  }
}
