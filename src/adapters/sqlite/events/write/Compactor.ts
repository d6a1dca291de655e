import {
  highestOf,
  isPast,
  limitEarlier,
  limitOf,
  lowestOf,
  type RetentionLimit
} from "../../../../domain/analytics/markers/RetentionRule.ts"
import { groupBy } from "../../../../domain/analytics/filter/Grouping.ts"
import type { Catalogue } from "../../../../domain/analytics/markers/Catalogue.ts"
import { ColumnCatalogue } from "../file/ColumnCatalogue.ts"
import { valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import type { Db } from "../file/Db.ts"
import type { SegmentRewriter } from "./SegmentRewriter.ts"
import type { RewrittenSegments } from "./SealedTail.ts"
import { type Segment, type Segments, valueColumns } from "../file/Segments.ts"
import type { StoredActivity } from "../file/StoredActivity.ts"
import type { StoredCatalogue } from "../file/StoredCatalogue.ts"
import type { RowFacts } from "../file/StoredSegments.ts"
import { TypesLeft } from "./TypesLeft.ts"

/** Milliseconds for which a row past retention may lie in a segment with others before they are rewritten without it. */
const overdueMillis = 43_200_000

/** The rows of units in a segment, ascending, and which of the units have some. */
interface FoundRows {
  readonly rows: ReadonlyArray<number>
  readonly present: ReadonlySet<number>
}

const nowhere: FoundRows = { rows: [], present: new Set() }

const rowsOfUnits = (column: Uint32Array, units: ReadonlySet<number>): FoundRows => {
  const rows: Array<number> = []
  const present = new Set<number>()
  for (let row = 0; row < column.length; row++) {
    if (!units.has(column[row]!)) continue
    rows.push(row)
    present.add(column[row]!)
  }
  return { rows, present }
}

interface Rewriting {
  readonly keeps: (row: RowFacts) => boolean
  /** Called inside the transaction that replaces the segments. */
  readonly also: () => void
}

/** Puts segments into the place of others: neighbours in time as larger ones, and without the rows of an erased unit or past retention. */
export class Compactor {
  private readonly db: Db
  private readonly segments: Segments
  private readonly rewriter: SegmentRewriter
  private readonly activity: StoredActivity
  private readonly catalogue: StoredCatalogue
  private readonly types: TypesLeft

  constructor(
    db: Db,
    segments: Segments,
    activity: StoredActivity,
    catalogue: StoredCatalogue,
    rewriter: SegmentRewriter
  ) {
    this.db = db
    this.segments = segments
    this.activity = activity
    this.catalogue = catalogue
    this.rewriter = rewriter
    this.types = new TypesLeft(segments, rewriter, this.catalogue)
  }

  /** Puts what `SegmentRewriter.merge` has made of segments into their place. */
  replace(rewritten: RewrittenSegments): void {
    this.db.transaction(() => this.put(rewritten))()
  }

  /** The numbers of the units' sessions that no other unit is seen to have rows of. */
  *sessionsOf(environmentId: number, erased: ReadonlySet<number>): Generator<void, ReadonlyArray<number>> {
    const own = new Set<number>()
    for (const segment of this.segments.newerThan(0)) {
      if (segment.environmentId !== environmentId) continue
      const units = this.rewriter.readable(segment, () => this.rewriter.decoder.units(segment))
      const sessions = this.rewriter.readable(segment, () => this.rewriter.decoder.sessions(segment))
      if (units !== undefined && sessions !== undefined) {
        for (let row = 0; row < units.length; row++) if (erased.has(units[row]!)) own.add(sessions[row]!)
      }
      yield
    }
    own.delete(0)
    for (const segment of this.segments.newerThan(0)) {
      if (own.size === 0) break
      if (segment.environmentId !== environmentId) continue
      const units = this.rewriter.readable(segment, () => this.rewriter.decoder.units(segment))
      const sessions = this.rewriter.readable(segment, () => this.rewriter.decoder.sessions(segment))
      if (units !== undefined && sessions !== undefined)
        for (let row = 0; row < units.length; row++) if (!erased.has(units[row]!)) own.delete(sessions[row]!)
      yield
    }
    return [...own]
  }

  /**
   * Removes every row of the units that can be read, of all of them at once from each segment. Answers for each unit the segments that may
   * still have rows of it.
   */
  *erase(
    environmentId: number,
    units: ReadonlySet<number>
  ): Generator<void, ReadonlyMap<number, ReadonlyArray<Segment>>> {
    const unreached = new Map<number, Array<Segment>>()
    for (const unit of units) unreached.set(unit, [])
    for (const segment of this.segments.newerThan(0)) {
      if (segment.environmentId !== environmentId) continue
      const found = this.rewriter.readable(segment, () => rowsOfUnits(this.rewriter.decoder.units(segment), units))
      const { rows, present } = found ?? nowhere
      if (rows.length > 0) {
        const gone = yield* this.rewriter.readableInSteps(segment, this.seenIn(segment, Uint32Array.from(rows)))
        yield
        if (gone !== undefined)
          yield* this.rewrite([segment], {
            keeps: (row) => !units.has(row.unit),
            also: () => {
              this.catalogue.take(environmentId, gone)
              this.types.restate(environmentId, gone)
            }
          })
      }
      const left = found === undefined ? units : this.rewriter.isDamaged(segment) ? present : nowhere.present
      for (const unit of left) unreached.get(unit)?.push(segment)
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
      } else if (this.isOverdue(segment, limitEarlier(limit, overdueMillis))) {
        let past = 0
        const keeps = (row: RowFacts) => {
          const isKept = !isPast(limit, row)
          if (!isKept) past++
          return isKept
        }
        yield* this.rewrite([segment], { keeps, also })
        if (!this.rewriter.isDamaged(segment)) removed += past
      } else continue
      yield
    }
    return removed
  }

  /**
   * What these rows of the segment contributed to the catalogue. Decodes them alone: a segment may have many others. Yields after each
   * column.
   */
  private *seenIn(segment: Segment, rows: Uint32Array): Generator<void, Catalogue> {
    const { decoder } = this.rewriter
    const types = decoder.columnAt(segment, columnName.type, rows)
    const typeAt = (at: number) => segment.type ?? String(types === undefined ? "" : valueAt(types, at))
    const seen = new ColumnCatalogue()
    for (const [type, places] of groupBy(rows.keys(), typeAt)) {
      const own = Uint32Array.from(places, (at) => rows[at]!)
      const times = decoder.timesAt(segment, own)
      seen.addTimes(type, times)
      for (const name of valueColumns(segment)) {
        const column = decoder.columnAt(segment, name, own)
        if (column !== undefined) seen.addColumn(type, name, column, times)
        yield
      }
    }
    return seen
  }

  /** Whether a row of the segment is past the limit. */
  private isOverdue(segment: Segment, limit: RetentionLimit): boolean {
    if (this.rewriter.isDamaged(segment)) return false
    if (segment.type !== null) return segment.firstTimestamp < limitOf(limit, segment.type)
    if (segment.firstTimestamp >= highestOf(limit)) return false
    const isOverdue = this.rewriter.readable(segment, () => {
      const times = this.rewriter.decoder.times(segment)
      const types = this.rewriter.decoder.column(segment, columnName.type)
      return times.some(
        (timestamp, row) => timestamp < limitOf(limit, types === undefined ? "" : String(valueAt(types, row)))
      )
    })
    return isOverdue === true
  }

  private *rewrite(segments: ReadonlyArray<Segment>, { keeps, also }: Rewriting): Generator<void, void> {
    const encoded = yield* this.rewriter.rewrite(segments, keeps)
    if (encoded === null) return
    this.db.transaction(() => {
      this.put({ replaced: segments.map(({ id }) => id), segments: encoded })
      also()
    })()
  }

  private put({ replaced, segments }: RewrittenSegments): void {
    for (const id of replaced) this.segments.delete(id)
    for (const segment of segments) this.segments.insert(segment)
  }
}
