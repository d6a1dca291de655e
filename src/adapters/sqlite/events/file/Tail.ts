import { SegmentBuilder, type Numbering } from "../format/SegmentBuilder.ts"
import type { Db } from "./Db.ts"
import { textIn } from "../bytes/ByteReader.ts"
import { readFrameHeader } from "../format/FrameDecoder.ts"
import { addPart } from "../format/FrameRows.ts"
import type { StoredNames } from "./StoredNames.ts"
import type { Names } from "./StoredSegments.ts"
import { decodeTailBatch, type TailPart } from "../format/TailBatch.ts"
import { frameHeaderBytes } from "../format/FrameEncoder.ts"
import { markerIdBytes, readMarkerId } from "../bytes/MarkerId.ts"
import { TailRowBlock } from "./TailRowBlock.ts"
import { comparison, type NamedUnit, type UnitOrder } from "./UnitOrder.ts"

const rowsPerBlock = 8192

/**
 * Assigns numbers to names in the tail: the dictionary's where it has one, otherwise new ones above all of the
 * dictionary's.
 */
class TailNumbers {
  readonly names: Array<string> = []
  readonly first: number
  private readonly known = new Map<string, number>()
  private readonly stored: (name: string) => number | undefined

  constructor(first: number, stored: (name: string) => number | undefined) {
    this.first = first
    this.stored = stored
  }

  idOf(name: string): number {
    let id = this.known.get(name)
    if (id !== undefined) return id
    id = this.stored(name)
    if (id === undefined || id >= this.first) id = this.first + this.names.push(name) - 1
    this.known.set(name, id)
    return id
  }

  /** One more than the highest assigned number. */
  get end(): number {
    return this.first + this.names.length
  }

  find(name: string): number | undefined {
    return this.known.get(name)
  }

  nameOf(id: number): string | undefined {
    return this.names[id - this.first]
  }

  /** The names that the dictionary does not have, in order. */
  *inOrder(order: UnitOrder): Generator<NamedUnit, void, undefined> {
    const { prefix, after } = order
    const compare = comparison(order)
    const found = this.names.filter((name) => name.startsWith(prefix) && (after === null || compare(name, after) > 0))
    for (const name of found.sort(compare)) yield { unit: this.known.get(name) ?? 0, name }
  }

  /** The numbers of the names that the dictionary does not have and that begin with the prefix. */
  starting(prefix: string): Array<number> {
    return this.names.flatMap((name, at) => (name.startsWith(prefix) ? [this.first + at] : []))
  }
}

/**
 * One environment's tail as blocks of rows, with the numbers it assigned to units and sessions that are not in the
 * dictionary yet. Parts are decoded once somebody asks about the environment: no question pays for what another environment sent.
 */
export class EnvironmentTail {
  readonly units: TailNumbers
  readonly sessions: TailNumbers
  highestSequence = 0
  private readonly fullBlocks: Array<TailRowBlock> = []
  private readonly parts: Array<TailPart & { readonly receivedAt: number }> = []
  private arrived: Array<TailPart> = []
  private readonly numbering: Numbering
  private open = new SegmentBuilder(null)
  private openBlock: TailRowBlock | null = null

  constructor(environmentId: number, names: StoredNames) {
    this.units = new TailNumbers(names.highestUnit(environmentId) + 1, (name) => names.idOfUnit(environmentId, name))
    this.sessions = new TailNumbers(names.highestSession(environmentId) + 1, (name) =>
      names.idOfSession(environmentId, name)
    )
    this.numbering = {
      unit: (bytes, start, end) => this.units.idOf(textIn(bytes, start, end)),
      session: (bytes, start, end) => this.sessions.idOf(textIn(bytes, start, end))
    }
  }

  /** Keeps a part until `decode`. */
  receive(part: TailPart): void {
    this.arrived.push(part)
  }

  /** Decodes what was received. */
  decode(): void {
    const { arrived } = this
    this.arrived = []
    for (const part of arrived) this.add(part)
  }

  private add(part: TailPart): void {
    const { receivedAt, count } = readFrameHeader(part.frame)
    this.openBlock = null
    addPart(part, () => this.open, this.numbering)
    this.highestSequence = Math.max(this.highestSequence, part.firstSequence + count - part.skipped.length - 1)
    this.parts.push({ ...part, receivedAt })
    if (this.open.rows < rowsPerBlock) return
    this.fullBlocks.push(new TailRowBlock(this.open))
    this.open = new SegmentBuilder(null)
  }

  blocks(): ReadonlyArray<TailRowBlock> {
    if (this.open.rows === 0) return this.fullBlocks
    this.openBlock ??= new TailRowBlock(this.open)
    return [...this.fullBlocks, this.openBlock]
  }

  names(stored: Names): Names {
    return {
      unit: (id) => this.units.nameOf(id) ?? stored.unit(id),
      session: (id) => this.sessions.nameOf(id) ?? stored.session(id),
      receivedAt: (sequence) => this.partOf(sequence)?.receivedAt ?? stored.receivedAt(sequence),
      markerId: (sequence) => this.markerId(sequence) ?? stored.markerId(sequence)
    }
  }

  private partOf(sequence: number): (TailPart & { readonly receivedAt: number }) | undefined {
    let low = 0
    let high = this.parts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.parts[middle]!.firstSequence <= sequence) low = middle + 1
      else high = middle
    }
    return this.parts[low - 1]
  }

  private markerId(sequence: number): string | null {
    const part = this.partOf(sequence)
    if (part === undefined) return null
    let index = sequence - part.firstSequence
    for (const skipped of part.skipped) if (skipped <= index) index++
    return readMarkerId(part.frame, frameHeaderBytes + index * markerIdBytes)
  }
}

/**
 * Follows the file's tail: decodes the batches that were added since the last `refresh`, and starts over after a
 * sealing.
 */
export class Tail {
  private readonly rows
  private readonly sealed
  private readonly names: StoredNames
  private environments = new Map<number, EnvironmentTail>()
  private last = 0
  private state = ""

  constructor(db: Db, names: StoredNames) {
    this.names = names
    this.rows = db.prepare<[number], { id: number; data: Uint8Array }>(
      "select id, data from tail where id > ? order by id"
    )
    this.sealed = db.prepare<[], { state: string }>(
      `select coalesce((select min(id) from tail), 0) || ' ' || coalesce((select max(id) from segment), 0) as state`
    )
  }

  /** Brings the tail up to date with the current transaction's snapshot. */
  refresh(): void {
    const state = this.sealed.get()?.state ?? ""
    if (state !== this.state) {
      this.environments = new Map()
      this.last = 0
      this.state = state
    }
    for (const { id, data } of this.rows.iterate(this.last)) {
      this.last = id
      for (const part of decodeTailBatch(data)) this.environment(part.environmentId).receive(part)
    }
  }

  of(environmentId: number): EnvironmentTail {
    const tail = this.environment(environmentId)
    tail.decode()
    return tail
  }

  private environment(environmentId: number): EnvironmentTail {
    let tail = this.environments.get(environmentId)
    if (tail === undefined)
      this.environments.set(environmentId, (tail = new EnvironmentTail(environmentId, this.names)))
    return tail
  }
}
