import { ActiveHours } from "../format/ActiveDay.ts"
import { ColumnCatalogue } from "../file/ColumnCatalogue.ts"
import { columnOf } from "../format/Column.ts"
import { Dictionary } from "../file/Dictionary.ts"
import { SegmentBuilder, type Numbering } from "../format/SegmentBuilder.ts"
import type { Db } from "../file/Db.ts"
import { readFrameHeader } from "../format/FrameDecoder.ts"
import { addPart } from "../format/FrameRows.ts"
import { frameHeaderBytes } from "../format/FrameEncoder.ts"
import { type KeyRun, KeyRunBuilder } from "../format/KeyRun.ts"
import type { KeyRuns } from "../file/KeyRuns.ts"
import { markerIdBytes } from "../bytes/MarkerId.ts"
import { type Receipt, Receipts } from "../file/Receipts.ts"
import { encodeSegment, type EncodedSegment } from "../format/SegmentEncoder.ts"
import type { Segments } from "../file/Segments.ts"
import { StoredActivity } from "../file/StoredActivity.ts"
import { StoredCatalogue } from "../file/StoredCatalogue.ts"
import { decodeTailBatch, type TailPart } from "../format/TailBatch.ts"
import { dayMillis } from "../../../../domain/Durations.ts"

/** One sealing takes whole batches from the tail until it has at least this many events. */
const sealedEvents = 131_072

/** What one sealing has collected for one environment. */
class Sealed {
  readonly environmentId: number
  readonly builders = new Map<string, SegmentBuilder>()
  readonly catalogue = new ColumnCatalogue()
  readonly hours = new ActiveHours()
  readonly receipts: Array<Receipt> = []
  readonly keys = new Map<number, KeyRunBuilder>()
  nextSequence = 1

  constructor(environmentId: number) {
    this.environmentId = environmentId
  }

  add(part: TailPart, numbering: Numbering): void {
    const { receivedAt, count } = readFrameHeader(part.frame)
    addPart(part, (type) => this.builderOf(type), numbering)
    this.receipts.push({ firstSequence: part.firstSequence, receivedAt })
    this.nextSequence = part.firstSequence
    const day = Math.floor(receivedAt / dayMillis)
    let keys = this.keys.get(day)
    if (keys === undefined) this.keys.set(day, (keys = new KeyRunBuilder()))
    const skipped = new Set(part.skipped)
    for (let index = 0; index < count; index++)
      if (!skipped.has(index)) keys.add(part.frame, frameHeaderBytes + index * markerIdBytes, this.nextSequence++)
  }

  /** Adds the collected rows to catalogue and active hours; yields after each type. */
  *summarize(): Generator<void, void> {
    for (const [type, builder] of this.builders) {
      this.catalogue.addTimes(type, builder.times)
      for (let row = 0; row < builder.rows; row++) this.hours.add(builder.units[row]!, builder.times[row]!)
      for (const [name, cells] of builder.columns) {
        cells.length = builder.rows
        this.catalogue.addColumn(type, name, columnOf(cells), builder.times)
      }
      yield
    }
  }

  private builderOf(type: string): SegmentBuilder {
    let builder = this.builders.get(type)
    if (builder === undefined) this.builders.set(type, (builder = new SegmentBuilder(type)))
    return builder
  }
}

/** Which segments to write: types with at least `ownRows` rows get one each, the rows of rarer types share one. */
export const segmentBuilders = (builders: Iterable<SegmentBuilder>, ownRows: number): ReadonlyArray<SegmentBuilder> => {
  const own: Array<SegmentBuilder> = []
  const rare: Array<SegmentBuilder> = []
  for (const builder of builders) (builder.rows >= ownRows ? own : rare).push(builder)
  const mixed = new SegmentBuilder(null)
  for (const builder of rare) mixed.append(builder)
  return mixed.rows === 0 ? own : [...own, mixed]
}

/**
 * Moves markers from the tail into segments, and everything derived from them (catalogue, activity, receipts, key runs)
 * with them.
 */
export class Sealer {
  private readonly db: Db
  private readonly segments: Segments
  private readonly runs: KeyRuns
  readonly units: Dictionary
  private readonly sessions: Dictionary
  readonly catalogue: StoredCatalogue
  private readonly receipts: Receipts
  private readonly activity: StoredActivity
  private readonly ownRows: number

  constructor(db: Db, segments: Segments, runs: KeyRuns, ownRows: number) {
    this.ownRows = ownRows
    this.db = db
    this.segments = segments
    this.runs = runs
    this.units = new Dictionary(db, "unit")
    this.sessions = new Dictionary(db, "session")
    this.catalogue = new StoredCatalogue(db)
    this.receipts = new Receipts(db)
    this.activity = new StoredActivity(db)
  }

  /**
   * Seals the oldest part of the tail in one transaction. Answers whether there was any; yields every few milliseconds
   * before it.
   */
  *seal(): Generator<void, boolean> {
    const sealed = new Map<number, Sealed>()
    const last = yield* this.collect(sealed)
    if (last === 0) return false
    const segments: Array<EncodedSegment> = []
    for (const environment of sealed.values()) yield* environment.summarize()
    for (const { environmentId, builders } of sealed.values())
      for (const builder of segmentBuilders(builders.values(), this.ownRows))
        segments.push(yield* encodeSegment(environmentId, builder))
    const runs: Array<KeyRun> = []
    for (const { environmentId, keys } of sealed.values())
      for (const [day, builder] of keys) {
        if (builder.size > 0) runs.push(builder.finish(environmentId, day))
        yield
      }
    let isCommitted = false
    try {
      this.db.transaction(() => {
        this.units.save()
        this.sessions.save()
        for (const segment of segments) this.segments.insert(segment)
        for (const run of runs) this.runs.insert(run)
        for (const environment of sealed.values()) this.save(environment)
        this.db.prepare<[number]>("delete from tail where id <= ?").run(last)
      })()
      isCommitted = true
    } finally {
      this.units.settle(isCommitted)
      this.sessions.settle(isCommitted)
      if (!isCommitted) this.runs.load()
    }
    return true
  }

  /** Overwrites names of erased units or sessions. Their rows stay, so that the numbers are not assigned again. */
  forget(table: "unit" | "session", environmentId: number, ids: ReadonlyArray<number>): void {
    const forgotten = this.db.prepare<[number, number]>(
      `update ${table} set name = char(0) || id where environment_id = ? and id = ?`
    )
    this.db.transaction(() => {
      for (const id of ids) forgotten.run(environmentId, id)
    })()
    this.reread()
  }

  /** Call it after changing dictionary rows without these dictionaries: it clears their caches. */
  reread(): void {
    this.units.settle(false)
    this.sessions.settle(false)
  }

  private *collect(sealed: Map<number, Sealed>): Generator<void, number> {
    const rows = this.db.prepare<[number], { id: number; events: number; data: Uint8Array }>(
      "select id, events, data from tail where id > ? order by id limit 1"
    )
    let last = 0
    let events = 0
    for (let row = rows.get(0); row !== undefined && events < sealedEvents; row = rows.get(last)) {
      last = row.id
      events += row.events
      for (const part of decodeTailBatch(row.data)) {
        const { environmentId } = part
        let own = sealed.get(environmentId)
        if (own === undefined) sealed.set(environmentId, (own = new Sealed(environmentId)))
        own.add(part, {
          unit: (bytes, start, end) => this.units.idIn(environmentId, bytes, start, end),
          session: (bytes, start, end) => this.sessions.idIn(environmentId, bytes, start, end)
        })
      }
      yield
    }
    return last
  }

  private save({ environmentId, catalogue, hours, receipts, nextSequence }: Sealed): void {
    this.catalogue.save(environmentId, catalogue)
    this.activity.save(environmentId, hours)
    this.receipts.save(environmentId, receipts, nextSequence - 1)
    this.db
      .prepare<[number, number]>(
        `insert into environment (id, next_sequence) values (?, ?)
         on conflict do update set next_sequence = excluded.next_sequence`
      )
      .run(environmentId, nextSequence)
  }
}
