import { reasonOf } from "../../../local/ReasonOf.ts"
import { ByteReader } from "../bytes/ByteReader.ts"
import { ByteWriter } from "../bytes/ByteWriter.ts"
import type { Db } from "./Db.ts"
import { formatOf } from "./EventsDb.ts"
import { checkRun, storedRuns } from "./KeyVerification.ts"
import { readFrameHeader } from "../format/FrameDecoder.ts"
import { addPart } from "../format/FrameRows.ts"
import { SegmentBuilder } from "../format/SegmentBuilder.ts"
import { SegmentDecoder } from "./SegmentDecoder.ts"
import { hasTimeIndex, type Segment, Segments, valueColumns } from "./Segments.ts"
import { StoredActivity } from "./StoredActivity.ts"
import { decodeTailBatch } from "../format/TailBatch.ts"
import { readTimeIndex, writeTimeIndex } from "../format/TimeIndex.ts"

/** The result of reading the whole file. Each problem names the segment, batch or page that it concerns. */
export interface Verification {
  readonly segments: number
  readonly tailBatches: number
  readonly problems: ReadonlyArray<string>
}

const attempt = (problems: Array<string>, name: string, read: () => void): void => {
  try {
    read()
  } catch (cause) {
    const message = reasonOf(cause)
    problems.push(message.startsWith("Segment ") ? message : `${name}: ${message}`)
  }
}

/** Reads all of a segment, and throws where something of it is not as it was written. */
export const checkSegment = (decoder: SegmentDecoder, segment: Segment): void => {
  const times = decoder.times(segment)
  const sequences = decoder.sequences(segment)
  for (let row = 1; row < segment.rows; row++)
    if (times[row - 1]! > times[row]! || (times[row - 1] === times[row] && sequences[row - 1]! >= sequences[row]!))
      throw new Error(`row ${row} is out of order`)
  if (times[0] !== segment.firstTimestamp || times[segment.rows - 1] !== segment.lastTimestamp)
    throw new Error("its stored time range differs from that of its rows")
  decoder.units(segment)
  decoder.sessions(segment)
  for (const name of valueColumns(segment)) decoder.column(segment, name)
  if (!hasTimeIndex(segment)) return
  const index = decoder.timeIndex(segment)
  const expected = new ByteWriter(64)
  writeTimeIndex(expected, times)
  const found = readTimeIndex(new ByteReader(expected.finish()))
  if (found.length !== index.length || found.some((value, at) => value !== index[at]))
    throw new Error("its time index differs from its rows")
}

const checkTail = (db: Db, problems: Array<string>): number => {
  let batches = 0
  for (const { id, data } of db.prepare<[], { id: number; data: Uint8Array }>("select id, data from tail").iterate()) {
    batches++
    attempt(problems, `Tail batch ${id}`, () => {
      for (const part of decodeTailBatch(data)) {
        readFrameHeader(part.frame)
        const builder = new SegmentBuilder(null)
        addPart(part, () => builder, { unit: () => 1, session: () => 1 })
      }
    })
  }
  return batches
}

const checkActivity = (db: Db, problems: Array<string>): void => {
  const activity = new StoredActivity(db)
  for (const { environment_id: environmentId, day } of db
    .prepare<[], { environment_id: number; day: number }>("select environment_id, day from activity")
    .all())
    attempt(problems, `Active units of environment ${environmentId}, day ${day}`, () => {
      if (activity.read(environmentId, day) === undefined) throw new Error("wrong checksum")
    })
}

/**
 * Reads the whole file: SQLite's integrity check, each column of each segment against its checksum, each tail batch, each marker id.
 */
export const verify = (db: Db): Verification => {
  const problems: Array<string> = []
  const segments = new Segments(db)
  const decoder = new SegmentDecoder(segments)
  attempt(problems, "Database", () => {
    for (const { integrity_check: message } of db
      .prepare<[], { integrity_check: string }>("pragma integrity_check")
      .iterate())
      if (message !== "ok") problems.push(`Database: ${message}`)
  })
  const all: Array<Segment> = []
  attempt(problems, "List of segments", () => all.push(...segments.newerThan(0)))
  for (const segment of all) attempt(problems, `Segment ${segment.id}`, () => checkSegment(decoder, segment))
  if (formatOf(db) > 1) attempt(problems, "Active units", () => checkActivity(db, problems))
  let tailBatches = 0
  attempt(problems, "Tail", () => {
    tailBatches = checkTail(db, problems)
  })
  attempt(problems, "Marker ids", () => {
    for (const run of storedRuns(db)) attempt(problems, `Marker ids of run ${run.id}`, () => checkRun(db, run))
  })
  return { segments: all.length, tailBatches, problems }
}
