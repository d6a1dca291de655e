import { isUtf8 } from "node:buffer"
import { randomBytes } from "node:crypto"
import { LruCache, mebibyte } from "../../../../domain/LruCache.ts"
import { type Batch, withMarkerIds } from "../../../../domain/ingest/Batch.ts"
import { nothingSent, tally } from "../../../../domain/ingest/IngestCounts.ts"
import { NamesByType, type TypeNames } from "../../../../domain/ingest/NamesByType.ts"
import { plainBatch, type StoredBatch, type UnreadBatch } from "../../../../domain/ingest/UnreadBatch.ts"
import { markerIdBytes, readMarkerId } from "../bytes/MarkerId.ts"
import { FrameDecoder } from "../format/FrameDecoder.ts"
import { encodeFrame, frameHeaderBytes } from "../format/FrameEncoder.ts"
import { KnownShapes } from "../format/KnownShapes.ts"
import { PlainBody, type PlainFrame } from "../format/PlainBody.ts"

/** A body that was read. */
export interface ReadBody {
  /** Its markers that are kept. */
  readonly frame: Uint8Array<ArrayBuffer>
  /** What became of its markers, once those that are kept are on disk; `duplicates` are the indexes of those that were before. */
  readonly stored: (duplicates: ReadonlyArray<number>) => StoredBatch
}

const parsed = (bytes: Uint8Array): unknown => {
  if (!isUtf8(bytes)) return undefined
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  } catch {
    return undefined
  }
}

const storedBatch = (batch: Batch, duplicates: ReadonlyArray<number>): StoredBatch => ({
  counts: tally(batch, duplicates),
  types: duplicates.length < batch.kept.length ? [...new Set(batch.kept.map(({ type }) => type))] : []
})

/** Of a body whose markers are all kept as they are. */
const storedFrame = ({ count, types, frame }: PlainFrame, duplicates: ReadonlyArray<number>): StoredBatch => ({
  counts: {
    ...nothingSent,
    ingestedMarkersCount: count - duplicates.length,
    duplicateMarkersCount: duplicates.length,
    duplicateMarkers: duplicates.map((index) => ({
      index,
      markerId: readMarkerId(frame, frameHeaderBytes + index * markerIdBytes)
    }))
  },
  types: duplicates.length < count ? types : []
})

/** The names that an environment has had, and the shapes in which markers had them. */
interface Known {
  readonly names: NamesByType
  readonly shapes: KnownShapes
}

/**
 * Reads the bodies of requests for markers in the writer's thread, so that the server's thread need not. It learns no new names from them:
 * those come with the frames that the server's thread appends.
 */
export class BodyReader {
  private readonly namesOf: (environmentId: number) => ReadonlyArray<TypeNames>
  private readonly known = new LruCache<Known, number>(32 * mebibyte, ({ names, shapes }) => names.bytes + shapes.bytes)
  private readonly plain = new PlainBody()
  /** Environments whose next frame may have names that are not known here. */
  private readonly behind = new Set<number>()

  /** `namesOf` gives the names of what an environment has stored. */
  constructor(namesOf: (environmentId: number) => ReadonlyArray<TypeNames>) {
    this.namesOf = namesOf
  }

  /** The markers of a body as a frame; null where the server's thread has to read the body, because it has new names, for example. */
  read(environmentId: number, unread: UnreadBatch): ReadBody | null {
    const known = this.of(environmentId)
    const { names, shapes } = known
    const bytes = shapes.bytes
    const plain = this.plain.read(unread, shapes)
    if (shapes.bytes !== bytes) this.known.set(environmentId, known)
    if (plain !== null) return { frame: plain.frame, stored: (duplicates) => storedFrame(plain, duplicates) }
    const batch = plainBatch(parsed(unread.bytes), unread, names)
    if (batch === null) {
      this.behind.add(environmentId)
      return null
    }
    const random = batch.withoutId === 0 ? new Uint8Array() : randomBytes(batch.withoutId * markerIdBytes)
    const frame = encodeFrame(unread.receivedAt, withMarkerIds(batch.kept, random))
    return { frame, stored: (duplicates) => storedBatch(batch, duplicates) }
  }

  /** Learns the names of a frame that the server's thread has read and that is about to be stored. */
  note(environmentId: number, frame: Uint8Array): void {
    if (!this.behind.delete(environmentId)) return
    const known = this.known.get(environmentId)
    if (known === undefined) return
    for (const { type, argumentNames, propertyNames } of new FrameDecoder(frame).shapes)
      known.names.add(type, argumentNames, propertyNames)
    this.known.set(environmentId, known)
  }

  private of(environmentId: number): Known {
    const found = this.known.get(environmentId)
    if (found !== undefined) return found
    const names = new NamesByType()
    for (const each of this.namesOf(environmentId)) names.add(each.type, each.arguments, each.properties)
    const known = { names, shapes: new KnownShapes(names) }
    this.known.set(environmentId, known)
    return known
  }
}
