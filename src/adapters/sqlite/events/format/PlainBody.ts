import { dayMillis } from "../../../../domain/Durations.ts"
import { maxMarkers } from "../../../../domain/ingest/Batch.ts"
import { maxBytes } from "../../../../domain/ingest/Collector.ts"
import { tolerance } from "../../../../domain/ingest/Marker.ts"
import type { UnreadBatch } from "../../../../domain/ingest/UnreadBatch.ts"
import { ByteWriter } from "../bytes/ByteWriter.ts"
import { JsonCursor } from "../bytes/JsonCursor.ts"
import { markerIdBytes, writeCanonicalId } from "../bytes/MarkerId.ts"
import { tag, writeNumber } from "../bytes/Scalars.ts"
import { TextTable } from "../bytes/TextTable.ts"
import { frameHeaderBytes, frameVersion } from "./FrameEncoder.ts"
import type { KnownShape, KnownShapes } from "./KnownShapes.ts"
import { PlainMarker, type TextPlace, valueKind } from "./PlainMarker.ts"

const markersWord = new TextEncoder().encode("markers")

/** The markers of a body. */
export interface PlainFrame {
  readonly count: number
  /** Each once. */
  readonly types: ReadonlyArray<string>
  readonly frame: Uint8Array<ArrayBuffer>
}

/**
 * Writes the frame of a body straight from its bytes: objects for each marker and its values would cost more than twice as much. It takes
 * only bodies whose markers are all kept as they are sent; `plainBatch` and `encodeFrame` take the others, and define what the frame of
 * any body is.
 */
export class PlainBody {
  private readonly cursor = new JsonCursor()
  private readonly marker = new PlainMarker(this.cursor)
  private readonly strings = new TextTable()
  private readonly ids = new ByteWriter(4096)
  private readonly shapes = new ByteWriter(1024)
  private readonly body = new ByteWriter(8192)
  /** Counts the bodies, so that a shape knows whether it is in the frame of this one. */
  private frame = 0
  private shapeCount = 0
  private types = new Set<string>()

  /** Null where the body is left. */
  read({ bytes, receivedAt, rule, erasedUntil }: UnreadBatch, known: KnownShapes): PlainFrame | null {
    this.begin()
    known.makeRoom()
    const kept = Math.min(rule.days, ...Object.values(rule.types)) * dayMillis
    const oldest = Math.max(0, receivedAt - kept, erasedUntil + 1)
    const latest = receivedAt + tolerance
    const { cursor, marker } = this
    cursor.open(bytes)
    marker.begin()
    if (!cursor.take(123) || !cursor.text() || !cursor.isText(markersWord)) return null
    if (!cursor.take(58) || !cursor.take(91)) return null
    let count = 0
    do {
      if (++count > maxMarkers || !marker.read(known.texts)) return null
      if (marker.timestamp < oldest || marker.timestamp > latest) return null
      if (!this.add(receivedAt, known)) return null
    } while (cursor.take(44))
    if (!cursor.take(93) || !cursor.take(125) || cursor.next() !== 0 || cursor.at < bytes.length) return null
    return { count, types: [...this.types], frame: this.finish(count, receivedAt) }
  }

  private begin(): void {
    this.frame++
    this.shapeCount = 0
    this.types.clear()
    this.strings.clear()
    this.ids.length = 0
    this.shapes.length = 0
    this.body.length = 0
  }

  /** Adds the marker that was read. */
  private add(receivedAt: number, known: KnownShapes): boolean {
    const { marker, body, ids } = this
    const { bytes } = this.cursor
    ids.reserve(markerIdBytes)
    if (!writeCanonicalId(bytes, marker.id.start, marker.id.end, ids.bytes, ids.length)) return false
    ids.length += markerIdBytes
    const { type } = marker
    const number = known.texts.numberOf(bytes, type.start, type.end, type.hash)
    const shape = known.find(number, marker.isMixed, marker.names, marker.count)
    if (shape === null || shape.nameBytes + marker.bytes > maxBytes) return false
    if (shape.shared.frame !== this.frame) this.addShape(shape)
    body.varint(shape.shared.index)
    body.zigzag(marker.timestamp - receivedAt)
    body.varint(this.numbered(marker.unit))
    body.varint(this.numbered(marker.session))
    body.varint(this.numbered(marker.server))
    body.u8(0)
    for (const place of shape.places) this.value(place)
    return true
  }

  private addShape({ shared, type, places, argumentCount }: KnownShape): void {
    const { shapes, marker } = this
    shared.frame = this.frame
    shared.index = this.shapeCount++
    this.types.add(type)
    shapes.varint(this.reference(marker.type))
    shapes.varint(argumentCount)
    for (const [at, place] of places.entries()) {
      if (at === argumentCount) shapes.varint(places.length - argumentCount)
      shapes.varint(this.reference(marker.namePlaces[place]!))
    }
    if (argumentCount === places.length) shapes.varint(0)
  }

  private value(place: number): void {
    const { marker, body } = this
    const kind = marker.kinds[place]
    if (kind === valueKind.text) {
      body.u8(tag.text)
      body.varint(this.reference(marker.texts[place]!))
    } else if (kind === valueKind.number) writeNumber(body, marker.numbers[place]!)
    else body.u8(kind === valueKind.yes ? tag.yes : tag.no)
  }

  private reference({ start, end, hash }: TextPlace): number {
    return this.strings.numberOf(this.cursor.bytes, start, end, hash)
  }

  /** 1 + the reference of an id, 0 where there is none. */
  private numbered(place: TextPlace): number {
    return place.length === 0 ? 0 : this.reference(place) + 1
  }

  private finish(count: number, receivedAt: number): Uint8Array<ArrayBuffer> {
    const { ids, strings, shapes, body } = this
    const parts = ids.length + strings.written.length + shapes.length + body.length
    const out = new ByteWriter(frameHeaderBytes + parts + 16)
    out.u32(frameVersion)
    out.u32(count)
    out.f64(receivedAt)
    out.raw(ids.bytes.subarray(0, ids.length))
    out.varint(strings.count)
    out.raw(strings.written.bytes.subarray(0, strings.written.length))
    out.varint(this.shapeCount)
    out.raw(shapes.bytes.subarray(0, shapes.length))
    out.raw(body.bytes.subarray(0, body.length))
    return out.finish()
  }
}
