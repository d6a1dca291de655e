import type { Value } from "../../../../domain/analytics/markers/Event.ts"
import { ByteReader, DamagedBytes } from "../bytes/ByteReader.ts"
import { flag, frameHeaderBytes, frameVersion } from "./FrameEncoder.ts"
import { markerIdBytes } from "../bytes/MarkerId.ts"
import { readNumber, readValue } from "../bytes/Scalars.ts"

/** A marker type together with the names of its values: events that share them share one shape. */
export interface FrameShape {
  readonly type: string
  readonly argumentNames: ReadonlyArray<string>
  readonly propertyNames: ReadonlyArray<string>
}

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

/** Walks through the events of a frame. Its fields hold the event that the last `next()` read. */
export class FrameDecoder {
  readonly header: FrameHeader
  readonly strings: ReadonlyArray<string>
  readonly shapes: ReadonlyArray<FrameShape>
  shape = 0
  timestamp = 0
  /** Unit, session and server: 1 + the index in `strings`, or 0 for none. */
  unit = 0
  session = 0
  server = 0
  clamped = false
  hasPosition = false
  x = 0
  y = 0
  z = 0
  private readonly from: ByteReader

  constructor(frame: Uint8Array) {
    this.header = readFrameHeader(frame)
    const from = new ByteReader(frame, frameHeaderBytes + this.header.count * markerIdBytes)
    this.from = from
    this.strings = Array.from({ length: from.varint() }, () => from.string())
    const names = () => Array.from({ length: from.varint() }, () => this.text(from.varint()))
    this.shapes = Array.from({ length: from.varint() }, () => ({
      type: this.text(from.varint()),
      argumentNames: names(),
      propertyNames: names()
    }))
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

  private readonly text = (reference: number): string => {
    const text = this.strings[reference]
    if (text === undefined)
      throw new DamagedBytes(`A value refers to string ${reference}, which its frame does not have`)
    return text
  }
}
