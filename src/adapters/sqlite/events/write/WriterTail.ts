import type { Db } from "../file/Db.ts"
import type { KeyRuns } from "../file/KeyRuns.ts"
import { MarkerIdSet } from "../file/ids/MarkerIdSet.ts"
import { markerIdBytes } from "../bytes/MarkerId.ts"
import { readFrameHeader } from "../format/FrameDecoder.ts"
import { frameHeaderBytes } from "../format/FrameEncoder.ts"
import { decodeTailBatch, type TailPart } from "../format/TailBatch.ts"
import { dayMillis } from "../../../../domain/Durations.ts"

export interface AppendRequest {
  readonly environmentId: number
  /** The result of `encodeFrame` for the request's events. */
  readonly frame: Uint8Array
}

/** The number of marker ids (about 6 MB) that may stay in memory however few markers wait in the tail. */
const fewestMarkers = 2 ** 17

/** What is known of the tail, in which markers wait to be sealed: its ids, how many there are, and the number of the next one. */
export class WriterTail {
  events = 0
  nextSequence = new Map<number, number>()
  private readonly db: Db
  private readonly runs: KeyRuns
  private readonly dedupeDays: number
  private readonly size
  private readonly ends
  private readonly markers = new MarkerIdSet()
  private isWhole = false

  constructor(db: Db, runs: KeyRuns, dedupeDays: number) {
    this.db = db
    this.runs = runs
    this.dedupeDays = dedupeDays
    this.size = db.prepare<[], { events: number }>("select coalesce(sum(events), 0) as events from tail")
    this.ends = db.prepare<[], { oldest: number | null; newest: number | null }>(
      "select min(id) as oldest, max(id) as newest from tail"
    )
    this.load()
  }

  /** The numbers of its oldest and its newest commit, from which on the numbers of later ones count; null where it is empty. */
  get commits(): { readonly oldest: number; readonly newest: number } | null {
    const { oldest = null, newest = null } = this.ends.get() ?? {}
    return oldest === null || newest === null ? null : { oldest, newest }
  }

  /**
   * The markers of a request as a part of the tail, without duplicates. From now on their ids count as known: call `distrust` if the part is
   * not stored.
   */
  part({ environmentId, frame }: AppendRequest): { readonly part: TailPart; readonly count: number } {
    if (!this.isWhole) this.load()
    const { count, receivedAt } = readFrameHeader(frame)
    const day = Math.floor(receivedAt / dayMillis)
    const oldest = day - this.dedupeDays
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
    const skipped: Array<number> = []
    for (let index = 0; index < count; index++) {
      const offset = frameHeaderBytes + index * markerIdBytes
      if (
        this.runs.has(environmentId, oldest, view, offset) ||
        !this.markers.add(environmentId, day, oldest, view, offset)
      )
        skipped.push(index)
    }
    const firstSequence = this.nextSequence.get(environmentId) ?? 1
    this.nextSequence.set(environmentId, firstSequence + count - skipped.length)
    return { part: { environmentId, firstSequence, skipped, frame }, count }
  }

  /**
   * Ids of sealed markers stay in memory until they are as many as those of the tail. Forgetting them means to read the whole tail again,
   * which takes longer the more of it waits to be sealed.
   */
  noteSealed(): void {
    this.events = this.size.get()?.events ?? 0
    if (this.markers.size > Math.max(fewestMarkers, this.events * 2)) this.load()
  }

  /** A part is not stored: the next one reads the tail before anything else, when it may be readable again. */
  distrust(): void {
    this.isWhole = false
  }

  /** Reads the whole tail. */
  load(): void {
    this.isWhole = false
    this.markers.clear()
    this.nextSequence = new Map()
    this.events = 0
    for (const row of this.db
      .prepare<[], { id: number; next_sequence: number }>("select id, next_sequence from environment")
      .iterate())
      this.nextSequence.set(row.id, row.next_sequence)
    const tail = this.db.prepare<[], { events: number; data: Uint8Array }>("select events, data from tail order by id")
    for (const { events, data } of tail.iterate()) {
      this.events += events
      for (const part of decodeTailBatch(data)) this.remember(part)
    }
    this.isWhole = true
  }

  private remember({ environmentId, firstSequence, skipped, frame }: TailPart): void {
    const { count, receivedAt } = readFrameHeader(frame)
    const day = Math.floor(receivedAt / dayMillis)
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
    for (let index = 0; index < count; index++)
      this.markers.add(environmentId, day, 0, view, frameHeaderBytes + index * markerIdBytes)
    this.nextSequence.set(environmentId, firstSequence + count - skipped.length)
  }
}
