import { type Db, isStorageFull } from "./EventsDb.ts"
import { frameHeaderBytes } from "./FrameEncoder.ts"
import { readFrameHeader } from "./FrameDecoder.ts"
import { markerIdBytes } from "./MarkerId.ts"
import { MarkerIdSet } from "./MarkerIdSet.ts"
import { decodeTailBatch, encodeTailBatch, type TailPart } from "./TailBatch.ts"

export interface AppendRequest {
  readonly environmentId: number
  /** What `encodeFrame` made of the request's events. */
  readonly frame: Uint8Array
}

export type AppendOutcome =
  | { readonly _tag: "Stored"; readonly firstSequence: number; readonly duplicates: ReadonlyArray<number> }
  | { readonly _tag: "StorageFull" }

export interface WriterOptions {
  /** Days of receipt, the current one not counted, in which a repeated marker id is a duplicate. */
  readonly dedupeDays: number
}

const dayMs = 86_400_000

/** Appends requests; all requests of one `commit` share one transaction and are on disk when it returns. */
export class Writer {
  private readonly db: Db
  private readonly options: WriterOptions
  private markers = new MarkerIdSet()
  private nextSequence = new Map<number, number>()
  private readonly insertTail

  constructor(db: Db, options: WriterOptions) {
    this.db = db
    this.options = options
    this.insertTail = db.prepare<[number, Uint8Array]>("insert into tail (events, data) values (?, ?)")
    this.load()
  }

  commit(requests: ReadonlyArray<AppendRequest>): ReadonlyArray<AppendOutcome> {
    const sequences = new Map(this.nextSequence)
    const parts = requests.map((request) => this.part(request))
    const events = parts.reduce((sum, { part, count }) => sum + count - part.skipped.length, 0)
    try {
      if (events > 0) this.insertTail.run(events, encodeTailBatch(parts.map(({ part }) => part)))
    } catch (cause) {
      this.nextSequence = sequences
      this.load()
      if (!isStorageFull(cause)) throw cause
      return requests.map(() => ({ _tag: "StorageFull" }))
    }
    return parts.map(({ part }) => ({ _tag: "Stored", firstSequence: part.firstSequence, duplicates: part.skipped }))
  }

  /** The highest sequence given out, per environment that has events. */
  highestSequences(): ReadonlyArray<readonly [environmentId: number, sequence: number]> {
    return [...this.nextSequence].map(([environmentId, next]) => [environmentId, next - 1])
  }

  close(): void {
    this.db.close()
  }

  private part({ environmentId, frame }: AppendRequest): { readonly part: TailPart; readonly count: number } {
    const { count, receivedAt } = readFrameHeader(frame)
    const day = Math.floor(receivedAt / dayMs)
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
    const skipped: Array<number> = []
    for (let index = 0; index < count; index++) {
      const offset = frameHeaderBytes + index * markerIdBytes
      if (!this.markers.add(environmentId, day, day - this.options.dedupeDays, view, offset)) skipped.push(index)
    }
    const firstSequence = this.nextSequence.get(environmentId) ?? 1
    this.nextSequence.set(environmentId, firstSequence + count - skipped.length)
    return { part: { environmentId, firstSequence, skipped, frame }, count }
  }

  private load(): void {
    this.markers = new MarkerIdSet()
    this.nextSequence = new Map()
    for (const row of this.db
      .prepare<[], { id: number; next_sequence: number }>("select id, next_sequence from environment")
      .iterate())
      this.nextSequence.set(row.id, row.next_sequence)
    for (const { data } of this.db.prepare<[], { data: Uint8Array }>("select data from tail order by id").iterate())
      for (const part of decodeTailBatch(data)) this.remember(part)
  }

  private remember({ environmentId, firstSequence, skipped, frame }: TailPart): void {
    const { count, receivedAt } = readFrameHeader(frame)
    const day = Math.floor(receivedAt / dayMs)
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
    for (let index = 0; index < count; index++)
      this.markers.add(environmentId, day, 0, view, frameHeaderBytes + index * markerIdBytes)
    this.nextSequence.set(environmentId, firstSequence + count - skipped.length)
  }
}
