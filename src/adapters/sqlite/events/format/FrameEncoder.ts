import { ended } from "../../../../domain/Ended.ts"
import type { Event, Values } from "../../../../domain/analytics/markers/Event.ts"
import { ByteWriter } from "../bytes/ByteWriter.ts"
import { markerIdBytes, writeMarkerId } from "../bytes/MarkerId.ts"
import { writeNumber, writeValue } from "../bytes/Scalars.ts"

export const frameVersion = 1
export const frameHeaderBytes = 16
export const flag = { clamped: 1, position: 2 } as const

interface Shape {
  readonly index: number
  /** The names in the order the marker had them, to recognise the next marker of this shape without sorting. */
  readonly given: readonly [argumentNames: ReadonlyArray<string>, propertyNames: ReadonlyArray<string>]
  /** The names ascending: the order in which values are stored and listed. */
  readonly argumentNames: ReadonlyArray<string>
  readonly propertyNames: ReadonlyArray<string>
}

const sameNames = (names: ReadonlyArray<string>, values: Values): boolean => {
  let at = 0
  for (const name in values) if (names[at++] !== name) return false
  return at === names.length
}

/** Values that are encoded in one step: a millisecond or two. */
const valuesPerStep = 4_000

/** Encodes one request's events as one buffer: header, marker ids, string table, shapes (type and names), events. */
class FrameEncoder {
  private readonly strings = new Map<string, number>()
  private readonly stringBytes = new ByteWriter(2048)
  private readonly shapes = new Map<string, Array<Shape>>()
  private readonly shapeBytes = new ByteWriter(256)
  private readonly body = new ByteWriter(8192)
  private shapeCount = 0
  /** Values that were encoded since the last step. */
  private values = 0

  readonly reference = (text: string): number => {
    const known = this.strings.get(text)
    if (known !== undefined) return known
    const index = this.strings.size
    this.strings.set(text, index)
    this.stringBytes.string(text)
    return index
  };

  *encode(receivedAt: number, events: ReadonlyArray<Event>): Generator<undefined, Uint8Array<ArrayBuffer>> {
    const out = new ByteWriter(frameHeaderBytes + events.length * (markerIdBytes + 64) + 1024)
    out.u32(frameVersion)
    out.u32(events.length)
    out.f64(receivedAt)
    out.reserve(events.length * markerIdBytes)
    for (const event of events) {
      writeMarkerId(event.markerId, out.bytes, out.length)
      out.length += markerIdBytes
      this.event(event, receivedAt)
      if (this.values < valuesPerStep) continue
      this.values = 0
      yield undefined
    }
    out.varint(this.strings.size)
    out.raw(this.stringBytes.bytes.subarray(0, this.stringBytes.length))
    out.varint(this.shapeCount)
    out.raw(this.shapeBytes.bytes.subarray(0, this.shapeBytes.length))
    out.raw(this.body.bytes.subarray(0, this.body.length))
    return out.finish()
  }

  private event(event: Event, receivedAt: number): void {
    const body = this.body
    const shape = this.shape(event)
    body.varint(shape.index)
    body.zigzag(event.timestamp - receivedAt)
    body.varint(event.unitId === null ? 0 : this.reference(event.unitId) + 1)
    body.varint(event.sessionId === null ? 0 : this.reference(event.sessionId) + 1)
    body.varint(event.serverId === null ? 0 : this.reference(event.serverId) + 1)
    body.u8((event.clamped ? flag.clamped : 0) | (event.position === null ? 0 : flag.position))
    if (event.position !== null) for (const axis of event.position) writeNumber(body, axis)
    this.values += shape.argumentNames.length + shape.propertyNames.length
    for (const name of shape.argumentNames) writeValue(body, event.arguments[name]!, this.reference)
    for (const name of shape.propertyNames) writeValue(body, event.properties[name]!, this.reference)
  }

  private shape(event: Event): Shape {
    const known = this.shapes.get(event.type)
    const found = known?.find(
      ({ given }) => sameNames(given[0], event.arguments) && sameNames(given[1], event.properties)
    )
    if (found !== undefined) return found
    const given = [Object.keys(event.arguments), Object.keys(event.properties)] as const
    const argumentNames = given[0].toSorted()
    const propertyNames = given[1].toSorted()
    const shape = { index: this.shapeCount++, given, argumentNames, propertyNames }
    if (known === undefined) this.shapes.set(event.type, [shape])
    else known.unshift(shape)
    this.shapeBytes.varint(this.reference(event.type))
    for (const names of [argumentNames, propertyNames]) {
      this.shapeBytes.varint(names.length)
      for (const name of names) this.shapeBytes.varint(this.reference(name))
    }
    return shape
  }
}

/** Encodes events as a frame, some 4,000 values in each step. `receivedAt` (epoch ms) replaces the events' own. */
export const frameSteps = (
  receivedAt: number,
  events: ReadonlyArray<Event>
): Generator<undefined, Uint8Array<ArrayBuffer>> => new FrameEncoder().encode(receivedAt, events)

/** As `frameSteps`, at once. */
export const encodeFrame = (receivedAt: number, events: ReadonlyArray<Event>): Uint8Array<ArrayBuffer> =>
  ended(frameSteps(receivedAt, events))
