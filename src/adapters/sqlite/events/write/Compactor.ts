import { groupBy } from "../../../../domain/analytics/filter/Grouping.ts"
import { SegmentBuilder } from "../format/SegmentBuilder.ts"
import type { Db } from "../file/Db.ts"
import { DamagedSegment, SegmentDecoder } from "../file/SegmentDecoder.ts"
import { encodeSegment, type EncodedSegment } from "../format/SegmentEncoder.ts"
import { segmentBuilders } from "./Sealer.ts"
import type { Segment, Segments } from "../file/Segments.ts"
import { addRows } from "../file/StoredSegments.ts"

/** Segments with fewer rows are candidates for merging. */
const smallRows = 65_536
/** A merge stops before its result would exceed this many rows. */
const largestRows = 131_072
/** Segments of one tier that make a merge worth its cost. */
const segmentsPerMerge = 4

/**
 * Only segments of similar size are merged, so that each row is rewritten a few times at most (logarithmic in size).
 */
const tierOf = (rows: number): number => Math.max(0, Math.floor(Math.log2(rows / 1024) / 2))

/** Rewrites segments: merges small neighbours into larger ones, and removes the rows of an erased unit. */
export class Compactor {
  private readonly db: Db
  private readonly segments: Segments
  private readonly decoder: SegmentDecoder
  private readonly ownRows: number
  private readonly damaged = new Set<number>()

  constructor(db: Db, segments: Segments, ownRows: number) {
    this.ownRows = ownRows
    this.db = db
    this.segments = segments
    this.decoder = new SegmentDecoder(segments)
  }

  /** Merges one group of small segments. Answers whether there was one. */
  *compact(): Generator<void, boolean> {
    const group = this.mergeable()
    if (group === null) return false
    yield* this.rewrite(group, () => true)
    return true
  }

  /** Removes every row of a unit. Answers the numbers of the sessions that no other unit has rows of. */
  *erase(environmentId: number, unit: number): Generator<void, ReadonlyArray<number>> {
    const own = new Set<number>()
    for (const segment of this.segments.newerThan(0)) {
      if (segment.environmentId !== environmentId) continue
      const units = this.decoder.units(segment)
      if (units.includes(unit)) {
        const sessions = this.decoder.sessions(segment)
        for (let row = 0; row < units.length; row++) if (units[row] === unit) own.add(sessions[row]!)
        yield* this.rewrite([segment], (row) => row !== unit)
      }
      yield
    }
    own.delete(0)
    for (const segment of this.segments.newerThan(0)) {
      if (own.size === 0) break
      if (segment.environmentId !== environmentId) continue
      for (const session of this.decoder.sessions(segment)) own.delete(session)
      yield
    }
    return [...own]
  }

  private mergeable(): ReadonlyArray<Segment> | null {
    const small = this.segments.newerThan(0).filter(({ id, rows }) => rows < smallRows && !this.damaged.has(id))
    const groups = groupBy(small, ({ environmentId, type, rows }) =>
      JSON.stringify([environmentId, type, tierOf(rows)])
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

  private *rewrite(segments: ReadonlyArray<Segment>, keeps: (unit: number) => boolean): Generator<void, void> {
    const builders = new Map<string, SegmentBuilder>()
    const builderFor = (type: string) => {
      const known = builders.get(type)
      if (known !== undefined) return known
      const builder = new SegmentBuilder(type)
      builders.set(type, builder)
      return builder
    }
    for (const segment of segments) {
      try {
        addRows(this.decoder, segment, builderFor, keeps)
      } catch (cause) {
        if (!(cause instanceof DamagedSegment)) throw cause
        this.damaged.add(segment.id)
        return
      }
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
    })()
  }
}
