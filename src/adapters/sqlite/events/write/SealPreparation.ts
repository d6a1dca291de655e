import { ActiveHours } from "../format/ActiveDay.ts"
import { ColumnCatalogue } from "../file/ColumnCatalogue.ts"
import type { Db } from "../file/Db.ts"
import type { Dictionary } from "../file/Dictionary.ts"
import { readFrameHeader } from "../format/FrameDecoder.ts"
import { addPart } from "../format/FrameRows.ts"
import { frameHeaderBytes } from "../format/FrameEncoder.ts"
import { type KeyRun, KeyRunBuilder } from "../format/KeyRun.ts"
import { markerIdBytes } from "../bytes/MarkerId.ts"
import type { Receipt } from "../file/ids/Receipts.ts"
import { TextPool } from "../bytes/TextPool.ts"
import { type Numbering, SegmentBuilder } from "../format/SegmentBuilder.ts"
import { encodeSegment, type EncodedSegment } from "../format/SegmentEncoder.ts"
import type { SealedEnvironment, SealedTail } from "./SealedTail.ts"
import { decodeTailBatch, type TailPart } from "../format/TailBatch.ts"
import { dayMillis } from "../../../../domain/Durations.ts"

/** One sealing takes whole batches from the tail until it has at least this many events. */
const sealedEvents = 131_072

/** What one sealing has collected for one environment. */
class Collected {
  readonly environmentId: number
  readonly builders = new Map<string, SegmentBuilder>()
  readonly keys = new Map<number, KeyRunBuilder>()
  private readonly catalogue = new ColumnCatalogue()
  private readonly hours = new ActiveHours()
  private readonly receipts: Array<Receipt> = []
  private readonly texts = new TextPool()
  private nextSequence = 1

  constructor(environmentId: number) {
    this.environmentId = environmentId
  }

  add(part: TailPart, numbering: Numbering): void {
    const { receivedAt, count } = readFrameHeader(part.frame)
    addPart(part, (type) => this.builderOf(type), numbering, this.texts.textOf)
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
      this.catalogue.addRows(type, builder)
      const { times, units } = builder
      for (let row = 0; row < builder.rows; row++) this.hours.add(units[row]!, times[row]!)
      yield
    }
  }

  get sealed(): SealedEnvironment {
    const { environmentId, nextSequence, receipts } = this
    const { types, names } = this.catalogue
    return { environmentId, nextSequence, types, names, days: this.hours.days, receipts }
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

/** Reads the oldest part of the tail and makes ready what is stored of it: most of the work of sealing, which writes nothing. */
export class SealPreparation {
  readonly units: Dictionary
  readonly sessions: Dictionary
  private readonly rows
  private readonly ownRows: number
  /** In one transaction: looking up many new names takes longer where each look-up locks the log for itself. */
  private readonly addBatch

  /** Types with fewer than `ownRows` rows share a segment. */
  constructor(db: Db, units: Dictionary, sessions: Dictionary, ownRows: number) {
    this.units = units
    this.sessions = sessions
    this.ownRows = ownRows
    this.addBatch = db.transaction((collected: Map<number, Collected>, batch: Uint8Array) =>
      this.addAll(collected, batch)
    )
    this.rows = db.prepare<[number], { id: number; events: number; data: Uint8Array }>(
      "select id, events, data from tail where id > ? order by id limit 1"
    )
  }

  /** Null where the tail is empty; yields every few milliseconds. Settle the numbers afterwards. */
  *prepare(): Generator<void, SealedTail | null> {
    const collected = new Map<number, Collected>()
    const last = yield* this.collect(collected)
    if (last === 0) return null
    for (const environment of collected.values()) yield* environment.summarize()
    const segments: Array<EncodedSegment> = []
    for (const { environmentId, builders } of collected.values())
      for (const builder of segmentBuilders(builders.values(), this.ownRows))
        segments.push(yield* encodeSegment(environmentId, builder))
    const runs: Array<KeyRun> = []
    for (const { environmentId, keys } of collected.values())
      for (const [day, builder] of keys) {
        if (builder.size > 0) runs.push(builder.finish(environmentId, day))
        yield
      }
    const environments = [...collected.values()].map(({ sealed }) => sealed)
    return { last, environments, segments, runs, units: this.units.assigned, sessions: this.sessions.assigned }
  }

  /** Call it when what was made ready is stored, or is not: keeps the new numbers or forgets all. */
  settle(isStored: boolean): void {
    this.units.settle(isStored)
    this.sessions.settle(isStored)
  }

  private *collect(collected: Map<number, Collected>): Generator<void, number> {
    let last = 0
    let events = 0
    for (let row = this.rows.get(0); row !== undefined && events < sealedEvents; row = this.rows.get(last)) {
      last = row.id
      events += row.events
      this.addBatch(collected, row.data)
      yield
    }
    return last
  }

  private addAll(collected: Map<number, Collected>, batch: Uint8Array): void {
    for (const part of decodeTailBatch(batch)) {
      const { environmentId } = part
      let own = collected.get(environmentId)
      if (own === undefined) collected.set(environmentId, (own = new Collected(environmentId)))
      own.add(part, {
        unit: (bytes, start, end) => this.units.idIn(environmentId, bytes, start, end),
        session: (bytes, start, end) => this.sessions.idIn(environmentId, bytes, start, end)
      })
    }
  }
}
