import { highestOf, isPast, type RetentionLimit } from "../../../../domain/analytics/markers/RetentionRule.ts"
import { valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import { addPart } from "../format/FrameRows.ts"
import { SegmentBuilder } from "../format/SegmentBuilder.ts"
import { decodeTailBatch } from "../format/TailBatch.ts"
import type { Db } from "./Db.ts"
import { SegmentDecoder } from "./SegmentDecoder.ts"
import { type Segment, Segments } from "./Segments.ts"

/** The oldest marker of an environment that is on disk, and how many are past the limit. */
export interface OldestMarkers {
  readonly environmentId: number
  /** Epoch milliseconds. */
  oldest: number
  past: number
  /** Markers of damaged segments, which may be past it or not. */
  unread: number
}

interface Row {
  readonly type: string
  readonly timestamp: number
}

function* rowsOf(decoder: SegmentDecoder, segment: Segment): Generator<Row> {
  const times = decoder.times(segment)
  const types = segment.type === null ? decoder.column(segment, columnName.type) : undefined
  for (let row = 0; row < segment.rows; row++) {
    const type = segment.type ?? (types === undefined ? "" : String(valueAt(types, row)))
    yield { type, timestamp: times[row]! }
  }
}

function* rowsOfTail(db: Db): Generator<Row & { readonly environmentId: number }> {
  for (const { data } of db.prepare<[], { data: Uint8Array }>("select data from tail order by id").iterate())
    for (const part of decodeTailBatch(data)) {
      const builders = new Map<string, SegmentBuilder>()
      const builderOf = (type: string) => {
        const builder = builders.get(type) ?? new SegmentBuilder(type)
        builders.set(type, builder)
        return builder
      }
      addPart(part, builderOf, { unit: () => 1, session: () => 1 })
      for (const [type, { times }] of builders)
        for (const timestamp of times) yield { environmentId: part.environmentId, type, timestamp }
    }
}

/**
 * Looks at every marker on disk that may be past its environment's limit, and answers by environment, in order of id.
 */
export const oldestMarkers = (
  db: Db,
  limitOf: (environmentId: number) => RetentionLimit
): ReadonlyArray<OldestMarkers> => {
  const found = new Map<number, OldestMarkers>()
  const of = (environmentId: number): OldestMarkers => {
    const known = found.get(environmentId) ?? { environmentId, oldest: Infinity, past: 0, unread: 0 }
    found.set(environmentId, known)
    return known
  }
  const add = (environmentId: number, row: Row): void => {
    const own = of(environmentId)
    own.oldest = Math.min(own.oldest, row.timestamp)
    if (isPast(limitOf(environmentId), row)) own.past++
  }
  const segments = new Segments(db)
  const decoder = new SegmentDecoder(segments)
  for (const segment of segments.newerThan(0)) {
    const { environmentId, firstTimestamp } = segment
    const own = of(environmentId)
    own.oldest = Math.min(own.oldest, firstTimestamp)
    if (firstTimestamp >= highestOf(limitOf(environmentId))) continue
    try {
      for (const row of rowsOf(decoder, segment)) add(environmentId, row)
    } catch {
      own.unread += segment.rows
    }
  }
  for (const row of rowsOfTail(db)) add(row.environmentId, row)
  return [...found.values()].sort((a, b) => a.environmentId - b.environmentId)
}
