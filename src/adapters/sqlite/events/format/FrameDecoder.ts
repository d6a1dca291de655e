import type { Value } from "../../../../domain/analytics/markers/Event.ts"
import { ByteReader, DamagedBytes, textIn } from "../bytes/ByteReader.ts"
import { flag, frameHeaderBytes, frameVersion } from "./FrameEncoder.ts"
import { markerIdBytes } from "../bytes/MarkerId.ts"
import { readNumber, readValue, tag } from "../bytes/Scalars.ts"
import type { ColumnCells } from "./ColumnCells.ts"

/** A marker type together with the names of its values: events that share them share one shape. */
export interface FrameShape {
  readonly type: string
  readonly argumentNames: ReadonlyArray<string>
  readonly propertyNames: ReadonlyArray<string>
}

/** Makes a text of its bytes in UTF-8. */
export type TextOf = (bytes: Uint8Array, start: number, end: number) => string

export interface FrameHeader {
  readonly count: number
  readonly receivedAt: number
}

export const readFrameHeader = (frame: Uint8Array): FrameHeader => {
  const from = new ByteReader(frame)
  const version = from.u32()
  if (version !== frameVersion) throw new DamagedBytes(`Unknown version ${version} of a frame`)
  return { count: from.u32(), receivedAt: from.f64() }
}

let nextKey = 1

/** Walks through the events of a frame. Its fields hold the event that the last `next()` read. */
export class FrameDecoder {
  readonly header: FrameHeader
  readonly shapes: ReadonlyArray<FrameShape>
  shape = 0
  timestamp = 0
  /** Unit, session and server: 1 + the reference of the text, or 0 for none. */
  unit = 0
  session = 0
  server = 0
  clamped = false
  hasPosition = false
  x = 0
  y = 0
  z = 0
  private readonly from: ByteReader
  /** By reference, where each text begins and ends. */
  private readonly starts: Int32Array
  private readonly ends: Int32Array
  /** By reference, those that were decoded. */
  private readonly texts: Array<string | undefined> = []

  private readonly textOf: TextOf
  /** What `ColumnCells` knows the first text by: no text of another frame has the same key. */
  private readonly firstKey: number

  /** `textOf` makes the texts of values and names of their bytes. */
  constructor(frame: Uint8Array, textOf: TextOf = textIn) {
    this.textOf = textOf
    this.header = readFrameHeader(frame)
    const from = new ByteReader(frame, frameHeaderBytes + this.header.count * markerIdBytes)
    this.from = from
    const count = from.varint()
    // A text takes a byte or more.
    if (count > frame.length) throw new DamagedBytes(`A frame of ${frame.length} bytes cannot have ${count} texts`)
    this.starts = new Int32Array(count)
    this.ends = new Int32Array(count)
    for (let reference = 0; reference < count; reference++) {
      const length = from.varint()
      this.starts[reference] = from.skip(length)
      this.ends[reference] = from.offset
      this.texts.push(undefined)
    }
    this.shapes = this.readShapes()
    this.firstKey = nextKey
    nextKey += count
  }

  private readShapes(): ReadonlyArray<FrameShape> {
    const { from } = this
    const shapes: Array<FrameShape> = []
    for (let left = from.varint(); left > 0; left--)
      shapes.push({ type: this.text(from.varint()), argumentNames: this.readNames(), propertyNames: this.readNames() })
    return shapes
  }

  private readNames(): ReadonlyArray<string> {
    const names: Array<string> = []
    for (let left = this.from.varint(); left > 0; left--) names.push(this.text(this.from.varint()))
    return names
  }

  /**
   * Reads one event's fixed fields. The caller must then read every value of the shape by `value()`, arguments first.
   */
  next(): FrameShape {
    const from = this.from
    this.shape = from.varint()
    this.timestamp = this.header.receivedAt + from.zigzag()
    this.unit = from.varint()
    this.session = from.varint()
    this.server = from.varint()
    const flags = from.u8()
    this.clamped = (flags & flag.clamped) !== 0
    this.hasPosition = (flags & flag.position) !== 0
    if (this.hasPosition) {
      this.x = readNumber(from)
      this.y = readNumber(from)
      this.z = readNumber(from)
    }
    const shape = this.shapes[this.shape]
    if (shape === undefined) throw new DamagedBytes(`An event has shape ${this.shape}, which its frame does not define`)
    return shape
  }

  value(): Value {
    return readValue(this.from, this.text)
  }

  /** Adds the value to the cells of its column. A number goes there without becoming an object before. */
  valueInto(cells: ColumnCells, row: number): void {
    const { from } = this
    switch (from.bytes[from.offset]) {
      case tag.integer:
        from.offset++
        return cells.addNumber(row, from.zigzag())
      case tag.thousandths:
        from.offset++
        return cells.addNumber(row, from.zigzag() / 1000)
      case tag.text: {
        from.offset++
        const reference = from.varint()
        const key = this.firstKey + reference
        if (!cells.addKnown(row, key)) cells.addText(row, key, this.text(reference))
        return
      }
      default:
        return cells.add(row, this.value())
    }
  }

  /** How many texts the frame has. */
  get textCount(): number {
    return this.starts.length
  }

  /** A text, which is decoded when it is asked for the first time: of most only the bytes are needed. */
  readonly text = (reference: number): string => {
    const known = this.texts[reference]
    return known === undefined ? (this.texts[reference] = this.textAt(reference, this.textOf)) : known
  }

  /** What `read` makes of the bytes of a text in UTF-8. */
  textAt<A>(reference: number, read: (bytes: Uint8Array, start: number, end: number) => A): A {
    const start = this.starts[reference]
    const end = this.ends[reference]
    if (start === undefined || end === undefined)
      throw new DamagedBytes(`A value refers to string ${reference}, which its frame does not have`)
    return read(this.from.bytes, start, end)
  }
}
