import { groupBy } from "../../../../domain/analytics/filter/Grouping.ts"
import { SegmentBuilder } from "../format/SegmentBuilder.ts"
import { encodeSegment, type EncodedSegment } from "../format/SegmentEncoder.ts"
import { DamagedSegment, SegmentDecoder } from "../file/SegmentDecoder.ts"
import type { RewrittenSegments } from "./SealedTail.ts"
import type { Segment, Segments } from "../file/Segments.ts"
import { segmentBuilders } from "./SealPreparation.ts"
import { joinedRows } from "./JoinedSegments.ts"
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

/** Called with a segment that cannot be read, and why. */
export type OnDamagedSegment = (id: number, message: string) => void

/** Reads segments and encodes what takes their place, which changes nothing in the file. */
export class SegmentRewriter {
  readonly decoder: SegmentDecoder
  private readonly segments: Segments
  private readonly ownRows: number
  private readonly damaged = new Set<number>()
  private readonly onDamaged: OnDamagedSegment

  constructor(segments: Segments, ownRows: number, onDamaged: OnDamagedSegment) {
    this.segments = segments
    this.ownRows = ownRows
    this.onDamaged = onDamaged
    this.decoder = new SegmentDecoder(segments)
  }

  /** Whether the segment was found to be damaged. */
  isDamaged({ id }: Pick<Segment, "id">): boolean {
    return this.damaged.has(id)
  }

  /** Notes a segment that cannot be read. */
  noteDamaged(id: number, message: string): void {
    this.damaged.add(id)
    this.onDamaged(id, message)
  }

  /** What is read of a segment; undefined where it is damaged, which is told. */
  readable<A>(segment: Segment, read: () => A): A | undefined {
    try {
      return read()
    } catch (cause) {
      return this.noteCause(segment, cause)
    }
  }

  /** As `readable`, for what is read in steps. */
  *readableInSteps<A>(segment: Segment, read: Generator<void, A>): Generator<void, A | undefined> {
    try {
      return yield* read
    } catch (cause) {
      return this.noteCause(segment, cause)
    }
  }

  private noteCause({ id }: Segment, cause: unknown): undefined {
    if (!(cause instanceof DamagedSegment)) throw cause
    this.noteDamaged(id, cause.message)
  }

  /** A group of small neighbours in time as larger segments: `first` or, where that is damaged, another one. Null where there is none. */
  *merge(first = this.mergeable()): Generator<void, RewrittenSegments | null> {
    for (let group = first; group !== null; group = this.mergeable()) {
      const { type } = group[0]!
      const segments = type === null ? yield* this.rewrite(group, () => true) : yield* this.join(type, group)
      if (segments !== null) return { replaced: group.map(({ id }) => id), segments }
    }
    return null
  }

  /** Segments of one type as one; null where one of them is damaged. */
  private *join(type: string, segments: ReadonlyArray<Segment>): Generator<void, ReadonlyArray<EncodedSegment> | null> {
    try {
      const rows = yield* joinedRows(this.decoder, type, segments)
      return [yield* encodeSegment(segments[0]!.environmentId, rows)]
    } catch (cause) {
      if (!(cause instanceof DamagedSegment)) throw cause
      this.noteDamaged(cause.segment.id, cause.message)
      return null
    }
  }

  /** The rows for which `keeps` holds, encoded anew; null where one of the segments is damaged. */
  *rewrite(
    segments: ReadonlyArray<Segment>,
    keeps: (row: RowFacts) => boolean
  ): Generator<void, ReadonlyArray<EncodedSegment> | null> {
    const builders = new Map<string, SegmentBuilder>()
    const builderFor = (type: string) => {
      const builder = builders.get(type) ?? new SegmentBuilder(type)
      builders.set(type, builder)
      return builder
    }
    for (const segment of segments) {
      yield* this.readableInSteps(segment, addRows(this.decoder, segment, builderFor, keeps))
      if (this.isDamaged(segment)) return null
      yield
    }
    const encoded: Array<EncodedSegment> = []
    for (const builder of segments[0]?.type === null
      ? segmentBuilders(builders.values(), this.ownRows)
      : builders.values())
      encoded.push(yield* encodeSegment(segments[0]!.environmentId, builder))
    return encoded
  }

  /** The group that is to be merged next; null where there is none. */
  mergeable(): ReadonlyArray<Segment> | null {
    const small = this.segments.newerThan(0).filter(({ id, rows }) => rows < smallRows && !this.isDamaged({ id }))
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
}
