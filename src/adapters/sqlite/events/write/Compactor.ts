import { groupBy } from "../../../../domain/analytics/filter/Grouping.ts"
import {
  highestOf,
  isPast,
  limitEarlier,
  limitOf,
  lowestOf,
  type RetentionLimit
} from "../../../../domain/analytics/markers/RetentionRule.ts"
import { valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import { SegmentBuilder } from "../format/SegmentBuilder.ts"
import type { Db } from "../file/Db.ts"
import { DamagedSegment, SegmentDecoder } from "../file/SegmentDecoder.ts"
import { encodeSegment, type EncodedSegment } from "../format/SegmentEncoder.ts"
import { segmentBuilders } from "./Sealer.ts"
import type { Segment, Segments } from "../file/Segments.ts"
import type { StoredActivity } from "../file/StoredActivity.ts"
import { addRows, type RowFacts } from "../file/StoredSegments.ts"

/** Segments with fewer rows are candidates for merging. */
const smallRows = 65_536
/** A merge stops before its result would exceed this many rows, which is also what retention rewrites of a type twice a day at most. */
const largestRows = 131_072
/** Segments of one tier that make a merge worth its cost. */
const segmentsPerMerge = 4

/**
 * Only segments of similar size are merged, so that each row is rewritten a few times at most (logarithmic in size).
 */
const tierOf = (rows: number): number => Math.max(0, Math.floor(Math.log2(rows / 1024) / 2))

/** Milliseconds for which a row past retention may lie in a segment with others before they are rewritten without it. */
const grace = 43_200_000

interface Rewriting {
  readonly keeps: (row: RowFacts) => boolean
  /** Called inside the transaction that replaces the segments. */
  readonly also: () => void
}

const asTheyAre: Rewriting = { keeps: () => true, also: () => undefined }

/** Rewrites segments: neighbours in time into larger ones, and without the rows of an erased unit or past retention. */
export class Compactor {
  private readonly db: Db
  private readonly segments: Segments
  private readonly decoder: SegmentDecoder
  private readonly activity: StoredActivity
  private readonly ownRows: number
  private readonly damaged = new Set<number>()
  private readonly onDamaged: (message: string) => void

  constructor(
    db: Db,
    segments: Segments,
    activity: StoredActivity,
    ownRows: number,
    onDamaged: (message: string) => void
  ) {
    this.onDamaged = onDamaged
    this.activity = activity
    this.ownRows = ownRows
    this.db = db
    this.segments = segments
    this.decoder = new SegmentDecoder(segments)
  }

  /** Merges one group of small segments. Answers whether there was one. */
  *compact(): Generator<void, boolean> {
    const group = this.mergeable()
    if (group === null) return false
    yield* this.rewrite(group, asTheyAre)
    return true
  }

  /** The numbers of the unit's sessions that no other unit is seen to have rows of. */
  *sessionsOf(environmentId: number, unit: number): Generator<void, ReadonlyArray<number>> {
    const own = new Set<number>()
    for (const segment of this.segments.newerThan(0)) {
      if (segment.environmentId !== environmentId) continue
      const units = this.readable(segment, () => this.decoder.units(segment))
      const sessions = this.readable(segment, () => this.decoder.sessions(segment))
      if (units?.includes(unit) === true && sessions !== undefined) {
        for (let row = 0; row < units.length; row++) if (units[row] === unit) own.add(sessions[row]!)
      }
      yield
    }
    own.delete(0)
    for (const segment of this.segments.newerThan(0)) {
      if (own.size === 0) break
      if (segment.environmentId !== environmentId) continue
      const units = this.readable(segment, () => this.decoder.units(segment))
      const sessions = this.readable(segment, () => this.decoder.sessions(segment))
      if (units !== undefined && sessions !== undefined)
        for (let row = 0; row < units.length; row++) if (units[row] !== unit) own.delete(sessions[row]!)
      yield
    }
    return [...own]
  }

  /** Removes every row of a unit that can be read. Answers the segments that may still have rows of it. */
  *erase(environmentId: number, unit: number): Generator<void, ReadonlyArray<Segment>> {
    const unreached: Array<Segment> = []
    for (const segment of this.segments.newerThan(0)) {
      if (segment.environmentId !== environmentId) continue
      const units = this.readable(segment, () => this.decoder.units(segment))
      if (units?.includes(unit) === true)
        yield* this.rewrite([segment], { ...asTheyAre, keeps: (row) => row.unit !== unit })
      if (units === undefined || (units.includes(unit) && this.damaged.has(segment.id))) unreached.push(segment)
      yield
    }
    return unreached
  }

  /**
   * Drops segments that are past retention as a whole, rewrites those that hold rows which have been past it for half a day, and answers
   * how many rows that removed.
   */
  *retire(environmentId: number, limit: RetentionLimit): Generator<void, number> {
    const also = () => this.activity.drop(environmentId, highestOf(limit) - 1)
    let removed = 0
    for (const segment of this.segments.newerThan(0)) {
      if (segment.environmentId !== environmentId || segment.firstTimestamp >= highestOf(limit)) continue
      const end = segment.type === null ? lowestOf(limit) : limitOf(limit, segment.type)
      if (segment.lastTimestamp < end) {
        this.db.transaction(() => {
          this.segments.delete(segment.id)
          also()
        })()
        removed += segment.rows
      } else if (this.isOverdue(segment, limitEarlier(limit, grace))) {
        let past = 0
        const keeps = (row: RowFacts) => {
          const isKept = !isPast(limit, row)
          if (!isKept) past++
          return isKept
        }
        yield* this.rewrite([segment], { keeps, also })
        if (!this.damaged.has(segment.id)) removed += past
      } else continue
      yield
    }
    return removed
  }

  /** Whether a row of the segment is past the limit. */
  private isOverdue(segment: Segment, limit: RetentionLimit): boolean {
    if (this.damaged.has(segment.id)) return false
    if (segment.type !== null) return segment.firstTimestamp < limitOf(limit, segment.type)
    if (segment.firstTimestamp >= highestOf(limit)) return false
    const isOverdue = this.readable(segment, () => {
      const times = this.decoder.times(segment)
      const types = this.decoder.column(segment, columnName.type)
      return times.some(
        (timestamp, row) => timestamp < limitOf(limit, types === undefined ? "" : String(valueAt(types, row)))
      )
    })
    return isOverdue === true
  }

  /** What is read of a segment; undefined where it is damaged, which is told. */
  private readable<A>(segment: Segment, read: () => A): A | undefined {
    try {
      return read()
    } catch (cause) {
      if (!(cause instanceof DamagedSegment)) throw cause
      this.damaged.add(segment.id)
      this.onDamaged(cause.message)
      return undefined
    }
  }

  private mergeable(): ReadonlyArray<Segment> | null {
    const small = this.segments.newerThan(0).filter(({ id, rows }) => rows < smallRows && !this.damaged.has(id))
    const groups = groupBy(small, (segment) =>
      JSON.stringify([segment.environmentId, segment.type, tierOf(segment.rows)])
    )
    for (const group of groups.values()) {
      if (group.length < segmentsPerMerge) continue
      group.sort((a, b) => a.firstTimestamp - b.firstTimestamp)
      let rows = 0
      const fitting = group.findIndex((segment) => (rows += segment.rows) > largestRows)
      return fitting < 0 ? group : group.slice(0, Math.max(2, fitting))
    }
    return null
  }

  private *rewrite(segments: ReadonlyArray<Segment>, { keeps, also }: Rewriting): Generator<void, void> {
    const builders = new Map<string, SegmentBuilder>()
    const builderFor = (type: string) => {
      const builder = builders.get(type) ?? new SegmentBuilder(type)
      builders.set(type, builder)
      return builder
    }
    for (const segment of segments) {
      this.readable(segment, () => addRows(this.decoder, segment, builderFor, keeps))
      if (this.damaged.has(segment.id)) return
      yield
    }
    const encoded: Array<EncodedSegment> = []
    for (const builder of segments[0]?.type === null
      ? segmentBuilders(builders.values(), this.ownRows)
      : builders.values())
      encoded.push(yield* encodeSegment(segments[0]!.environmentId, builder))
    this.db.transaction(() => {
      for (const { id } of segments) this.segments.delete(id)
      for (const segment of encoded) this.segments.insert(segment)
      also()
    })()
  }
}
