import type { Catalogue } from "../../../../domain/analytics/markers/Catalogue.ts"
import { type DayLeft, firstLeft, lastLeft } from "../../../../domain/analytics/markers/CatalogueRemoval.ts"
import { dayMillis } from "../../../../domain/Durations.ts"
import { valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import type { StoredCatalogue } from "../file/StoredCatalogue.ts"
import type { Segment, Segments } from "../file/Segments.ts"
import type { SegmentRewriter } from "./SegmentRewriter.ts"

/** Says anew when types were first and last seen, once markers of an erased unit are gone. */
export class TypesLeft {
  private readonly segments: Segments
  private readonly rewriter: SegmentRewriter
  private readonly catalogue: StoredCatalogue

  constructor(segments: Segments, rewriter: SegmentRewriter, catalogue: StoredCatalogue) {
    this.segments = segments
    this.rewriter = rewriter
    this.catalogue = catalogue
  }

  /**
   * Reads one day of a type where a marker that is gone was the first or the last of it. Call it inside the transaction that removes them:
   * an erasure that is cut off then has nothing of this to repeat.
   */
  restate(environmentId: number, gone: Catalogue): void {
    for (const [type, { firstSeenAt, lastSeenAt }] of gone.types) {
      const known = this.catalogue.bounds(environmentId, type)
      if (known === null) continue
      const { firstDay, lastDay } = known
      const [isFirst, isLast] = [firstSeenAt <= known.first, lastSeenAt >= known.last]
      if (!isFirst && !isLast) continue
      const left = this.leftOn(environmentId, type, isFirst ? firstDay.day : lastDay.day)
      const isOther = isFirst && isLast && lastDay.day !== firstDay.day
      const atEnd = isOther ? this.leftOn(environmentId, type, lastDay.day) : left
      const first = isFirst ? firstLeft(known.first, firstDay, left) : known.first
      const last = isLast ? lastLeft(known.last, lastDay, atEnd) : known.last
      this.catalogue.restate(environmentId, type, first, last)
    }
  }

  private leftOn(environmentId: number, type: string, day: number): DayLeft {
    const [from, to] = [day * dayMillis, (day + 1) * dayMillis]
    let [events, first, last] = [0, Infinity, -Infinity]
    for (const segment of this.segments.newerThan(0)) {
      if (segment.environmentId !== environmentId || (segment.type ?? type) !== type) continue
      if (segment.lastTimestamp < from || segment.firstTimestamp >= to) continue
      for (const time of this.timesOf(segment, type)) {
        if (time < from || time >= to) continue
        events++
        first = Math.min(first, time)
        last = Math.max(last, time)
      }
    }
    return { events, first, last }
  }

  /** When the markers of the type in the segment were (epoch ms); none where it is damaged. */
  private timesOf(segment: Segment, type: string): Iterable<number> {
    const { decoder } = this.rewriter
    const times = this.rewriter.readable(segment, () => {
      const all = decoder.times(segment)
      if (segment.type !== null) return all
      const types = decoder.column(segment, columnName.type)
      return all.filter((_, row) => types !== undefined && valueAt(types, row) === type)
    })
    return times ?? []
  }
}
