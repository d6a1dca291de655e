import type { Catalogue } from "../../../../domain/analytics/markers/Catalogue.ts"
import type { StoredEvent } from "../../../../domain/analytics/markers/Event.ts"
import { valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import type { Db } from "./Db.ts"
import { IdsBySequence } from "./ids/IdsBySequence.ts"
import { keptIds } from "./ids/KeptIds.ts"
import { Receipts } from "./ids/Receipts.ts"
import type { RowBlock } from "./RowBlock.ts"
import { SegmentDecoder } from "./SegmentDecoder.ts"
import { Segments } from "./Segments.ts"
import { StoredCatalogue } from "./StoredCatalogue.ts"
import { StoredNames } from "./StoredNames.ts"
import { eventsOf, type Names } from "./StoredSegments.ts"
import { Tail } from "./Tail.ts"
import { WholeSegment } from "./WholeSegment.ts"

/** Names of units and of sessions that are held in memory at most. */
const keptNames = 200_000

/** Markers of one block of the file, as far as they are counted. */
export interface CountedRow {
  readonly type: string
  readonly timestamp: number
  readonly sequence: number
  readonly hasUnit: boolean
}

const remembered = (find: (id: number) => string | null): ((id: number) => string | null) => {
  const known = new Map<number, string | null>()
  return (id) => {
    const name = known.get(id)
    if (name !== undefined) return name
    if (known.size >= keptNames) known.clear()
    const found = find(id)
    known.set(id, found)
    return found
  }
}

/**
 * All markers of one environment of a file that nobody writes: always in the same order, whole, with their sequences, receipts and the ids
 * that are still known. Memory is bounded by the largest segment. Damaged segments throw.
 */
export class MarkerExport {
  readonly count: number
  private readonly db: Db
  private readonly environmentId: number
  private readonly decoder: SegmentDecoder
  private readonly ids: IdsBySequence
  private readonly names: Names
  private readonly sources: ReadonlyArray<{ readonly rows: number; readonly open: () => RowBlock }>
  private readonly tail

  /** `scratch` is the path of a file that is written over. */
  constructor(db: Db, environmentId: number, scratch: string) {
    this.db = db
    this.environmentId = environmentId
    const segments = new Segments(db)
    this.decoder = new SegmentDecoder(segments)
    const stored = new StoredNames(db)
    const followed = new Tail(db, stored)
    followed.refresh()
    this.tail = followed.of(environmentId)
    this.ids = new IdsBySequence(scratch)
    for (const { sequence, bytes, offset } of keptIds(db, environmentId)) this.ids.put(sequence, bytes, offset)
    const receipts = new Receipts(db)
    this.names = this.tail.names({
      unit: remembered((id) => stored.unit(environmentId, id)),
      session: remembered((id) => stored.session(environmentId, id)),
      receivedAt: (sequence) => receipts.receivedAt(environmentId, sequence),
      markerId: (sequence) => this.ids.find(sequence)
    })
    const sealed = segments
      .newerThan(0)
      .filter((segment) => segment.environmentId === environmentId)
      .map((segment) => ({ rows: segment.rows, open: () => new WholeSegment(segment, this.decoder) }))
    this.sources = [...sealed, ...this.tail.blocks().map((block) => ({ rows: block.rows, open: () => block }))]
    this.count = this.sources.reduce((sum, { rows }) => sum + rows, 0)
  }

  /** Markers from a place in their order on (0: the first), at most `most` at a time. */
  *from(place: number, most: number): Generator<ReadonlyArray<StoredEvent>, void, undefined> {
    let first = 0
    for (const { rows, open } of this.sources) {
      const start = Math.max(0, place - first)
      first += rows
      if (start >= rows) continue
      const block = open()
      for (let at = start; at < rows; at += most)
        yield eventsOf(
          block,
          Array.from({ length: Math.min(most, rows - at) }, (_, index) => at + index),
          this.names
        )
    }
  }

  /** The markers block by block, each with some of its markers in full: `samples` of them at most. */
  *counted(
    samples: number
  ): Generator<
    { readonly rows: ReadonlyArray<CountedRow>; readonly sampled: ReadonlyArray<StoredEvent> },
    void,
    undefined
  > {
    for (const { rows, open } of this.sources) {
      const block = open()
      const [times, sequences, units] = [block.times(), block.sequences(), block.units()]
      const types = block.type === null ? block.column(columnName.type) : undefined
      const typeAt = (row: number) => block.type ?? String(types === undefined ? "" : (valueAt(types, row) ?? ""))
      const step = Math.ceil(rows / samples)
      const chosen = Array.from({ length: Math.ceil(rows / step) }, (_, index) => index * step)
      yield {
        rows: Array.from({ length: rows }, (_, row) => ({
          type: typeAt(row),
          timestamp: times[row]!,
          sequence: sequences[row]!,
          hasUnit: units[row] !== 0
        })),
        sampled: eventsOf(block, chosen, this.names)
      }
    }
  }

  /** Types, names and values that were ever seen, also those of markers that retention has deleted since. */
  catalogue(): Catalogue {
    const catalogue = new StoredCatalogue(this.db).readAll(this.environmentId)
    for (const block of this.tail.blocks()) catalogue.merge(block.catalogue())
    return catalogue
  }

  close(): void {
    this.ids.close()
  }
}
