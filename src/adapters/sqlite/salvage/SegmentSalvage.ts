import type { Loss } from "../../../domain/operations/Salvage.ts"
import { valueAt } from "../events/format/Column.ts"
import { columnName, namedByGame } from "../events/format/ColumnName.ts"
import { SegmentBuilder } from "../events/format/SegmentBuilder.ts"
import { encodeSegment } from "../events/format/SegmentEncoder.ts"
import type { Db } from "../events/file/Db.ts"
import { ended } from "../../../domain/Ended.ts"
import { SegmentDecoder } from "../events/file/SegmentDecoder.ts"
import { type Segment, Segments, valueColumns } from "../events/file/Segments.ts"
import { addRows } from "../events/file/StoredSegments.ts"
import { checkSegment } from "../events/file/Verification.ts"

/** What can be read; undefined where the bytes are damaged in any way. */
export const readable = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const axes: ReadonlyArray<string> = [columnName.x, columnName.y, columnName.z]

const partName = (column: string): string => {
  const named = namedByGame(column)
  if (named !== null) return `${named.source} ${named.name}`
  return axes.includes(column) ? "position" : column
}

/** Reads a segment as if the columns that are damaged had never had a value. */
class RestDecoder extends SegmentDecoder {
  private readonly lost: ReadonlySet<string>

  constructor(segments: Segments, lost: ReadonlySet<string>) {
    super(segments)
    this.lost = lost
  }

  override sessions(segment: Segment): Uint32Array {
    return this.lost.has("session") ? new Uint32Array(segment.rows) : super.sessions(segment)
  }

  override column(segment: Segment, name: string) {
    return this.lost.has(name) ? undefined : super.column(segment, name)
  }
}

interface Salvaged {
  readonly losses: ReadonlyArray<Loss>
  /** Markers that no longer have a segment, of each environment. */
  readonly lostRows: ReadonlyMap<number, number>
}

/**
 * Makes every segment of a file readable: one that has lost only values, its sessions or its time index is written anew without them; one
 * that has lost its times, sequences, units or types is removed.
 */
export class SegmentSalvage {
  private readonly db: Db
  private readonly segments: Segments
  private readonly decoder: SegmentDecoder
  private readonly losses: Array<Loss> = []
  private readonly lostRows = new Map<number, number>()

  constructor(db: Db) {
    this.db = db
    this.segments = new Segments(db)
    this.decoder = new SegmentDecoder(this.segments)
  }

  run(): Salvaged {
    // Before a segment is written anew: it may get the number of one that is gone.
    this.db.exec(
      "delete from segment_column where not exists (select 1 from segment where segment.id = segment_column.id / 65536)"
    )
    for (const id of this.segments.ids()) {
      const segment = readable(() => this.segments.among([id]).get(id))
      if (segment === undefined) this.db.transaction(() => this.segments.delete(id))()
      else if (readable(() => (checkSegment(this.decoder, segment), true)) === undefined) this.salvage(segment)
    }
    return { losses: this.losses, lostRows: this.lostRows }
  }

  private salvage(segment: Segment): void {
    const { decoder } = this
    const values = valueColumns(segment)
    const lost = new Set(values.filter((name) => readable(() => (decoder.column(segment, name), true)) === undefined))
    if (readable(() => decoder.sessions(segment)) === undefined) lost.add("session")
    // A position is three numbers or none.
    if (axes.some((axis) => lost.has(axis))) for (const axis of axes) if (values.includes(axis)) lost.add(axis)
    const builder = new SegmentBuilder(segment.type)
    const rest = new RestDecoder(this.segments, lost)
    const isKept =
      !lost.has(columnName.type) &&
      readable(() => {
        ended(addRows(rest, segment, () => builder))
        return true
      }) === true
    this.db.transaction(() => {
      this.segments.delete(segment.id)
      if (isKept) this.insert(segment.environmentId, builder)
    })()
    if (!isKept)
      this.lostRows.set(segment.environmentId, (this.lostRows.get(segment.environmentId) ?? 0) + segment.rows)
    const parts = [...new Set([...lost].map(partName))].toSorted()
    if (!isKept || parts.length > 0) this.losses.push(...this.lossesOf(segment, isKept ? parts : []))
  }

  private insert(environmentId: number, builder: SegmentBuilder): void {
    this.segments.insert(ended(encodeSegment(environmentId, builder)))
  }

  /** The rows of a segment by type, as far as its types and times can be read. */
  private lossesOf(segment: Segment, parts: ReadonlyArray<string>): ReadonlyArray<Loss> {
    const { environmentId, type, rows, firstTimestamp, lastTimestamp } = segment
    const whole = { environmentId, parts, type, from: firstTimestamp, to: lastTimestamp, markers: rows, isExact: true }
    if (type !== null) return [whole]
    const types = readable(() => this.decoder.column(segment, columnName.type))
    if (types === undefined) return [whole]
    const times = readable(() => this.decoder.times(segment))
    const byType = new Map<string, Loss>()
    for (let row = 0; row < rows; row++) {
      const name = String(valueAt(types, row))
      const known = byType.get(name)
      const [from, to] = [times?.[row] ?? firstTimestamp, times?.[row] ?? lastTimestamp]
      byType.set(name, {
        ...whole,
        type: name,
        from: Math.min(known?.from ?? from, from),
        to: Math.max(known?.to ?? to, to),
        markers: (known?.markers ?? 0) + 1
      })
    }
    return [...byType.values()]
  }
}
