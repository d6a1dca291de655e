import { maxNames, scalarBytes } from "../../../../domain/ingest/Collector.ts"
import { maxTextCharacters } from "../../../../domain/ingest/Marker.ts"
import { instantOf } from "../../../../domain/ingest/Timestamp.ts"
import type { JsonCursor } from "../bytes/JsonCursor.ts"
import type { TextTable } from "../bytes/TextTable.ts"

const word = (text: string): Uint8Array => new TextEncoder().encode(text)

const [yes, no, none] = [word("true"), word("false"), word("null")]

/** The fields of a marker, each with a bit that says that it was met. */
const field = {
  id: 1,
  timestamp: 2,
  eventName: 4,
  type: 8,
  unit: 16,
  session: 32,
  server: 64,
  properties: 128,
  value: 256
}

const fieldNames = [
  { name: "markerId", bit: field.id },
  { name: "timestamp", bit: field.timestamp },
  { name: "eventName", bit: field.eventName },
  { name: "type", bit: field.type },
  { name: "distinctId", bit: field.unit },
  { name: "userId", bit: field.unit },
  { name: "sessionId", bit: field.session },
  { name: "serverId", bit: field.server },
  { name: "properties", bit: field.properties },
  { name: "value", bit: field.value }
]

const fields = fieldNames.map(({ name, bit }) => ({ word: word(name), quoted: word(`"${name}"`), bit }))

/** Characters of a UUID with dashes. */
const idCharacters = 36

const mostValues = maxNames * 2

/** What a value is. */
export const valueKind = { text: 0, number: 1, yes: 2, no: 3 } as const

/** A text in the body; none where it ends at its start. */
export class TextPlace {
  start = 0
  end = 0
  hash = 0

  get length(): number {
    return this.end - this.start
  }

  /** Takes over the last text of the cursor. */
  mark(cursor: JsonCursor): void {
    this.start = cursor.start
    this.end = cursor.end
    this.hash = cursor.hash
  }
}

/** The marker that was read last from a body, as places in it. */
export class PlainMarker {
  readonly id = new TextPlace()
  timestamp = 0
  readonly type = new TextPlace()
  readonly unit = new TextPlace()
  readonly session = new TextPlace()
  readonly server = new TextPlace()
  /** Whether arguments and automatic properties were sent together. */
  isMixed = false
  /** Of names and values, in the order in which they were sent. */
  count = 0
  /** Numbers of names: twice that of the text, and one more for an argument that was sent apart. */
  readonly names = new Int32Array(mostValues)
  readonly namePlaces = Array.from({ length: mostValues }, () => new TextPlace())
  readonly kinds = new Uint8Array(mostValues)
  readonly numbers = new Float64Array(mostValues)
  readonly texts = Array.from({ length: mostValues }, () => new TextPlace())
  /** What ids and values count towards the size of the marker. */
  bytes = 0
  private readonly cursor: JsonCursor
  /** For each field, the one that followed it in the last marker: clients send all markers alike, so it is tried first. */
  private readonly following = new Uint8Array(fields.length)
  private last = 0
  /** How many names at the front of `names` and `namePlaces` belong to this body. */
  private marked = 0

  constructor(cursor: JsonCursor) {
    this.cursor = cursor
  }

  /** To be called before the first marker of a body. */
  begin(): void {
    this.marked = 0
  }

  /** Reads the next marker, whose names are numbered in the table. False where it is not plain. */
  read(table: TextTable): boolean {
    const { cursor } = this
    let met = 0
    this.count = 0
    this.bytes = 0
    for (const place of [this.unit, this.session, this.server]) place.end = place.start
    if (!cursor.take(123)) return false
    do {
      const bit = this.nextField()
      if (bit === 0 || (met & bit) !== 0 || !this.valueOf(bit, table)) return false
      met |= bit
    } while (cursor.take(44))
    this.isMixed = (met & field.eventName) !== 0
    const isTyped = this.isMixed ? (met & (field.type | field.value)) === 0 : (met & field.type) !== 0
    return isTyped && (met & field.id) !== 0 && (met & field.timestamp) !== 0 && cursor.take(125)
  }

  /** Takes the name of a field and its colon, and answers the field's bit; 0 if no field has the name. */
  private nextField(): number {
    const { cursor } = this
    cursor.next()
    let at = this.following[this.last]!
    if (!cursor.word(fields[at]!.quoted))
      at = cursor.text() ? fields.findIndex(({ word: name }) => cursor.isText(name)) : -1
    if (at < 0 || !cursor.take(58)) return 0
    this.following[this.last] = at
    this.last = at
    return fields[at]!.bit
  }

  private valueOf(bit: number, table: TextTable): boolean {
    switch (bit) {
      case field.id:
        return this.uuid()
      case field.timestamp:
        return this.instant()
      case field.eventName:
      case field.type:
        return this.textOf(this.type) && this.type.length > 0
      case field.unit:
        return this.idOf(this.unit)
      case field.session:
        return this.idOf(this.session)
      case field.server:
        return this.idOf(this.server)
      case field.properties:
        return this.values(0, table)
      default:
        return this.values(1, table)
    }
  }

  /** Takes a text of the length of a UUID. `writeCanonicalId` checks later that it is one. */
  private uuid(): boolean {
    this.cursor.next()
    if (!this.cursor.quoted(idCharacters)) return false
    this.id.mark(this.cursor)
    return true
  }

  private textOf(place: TextPlace): boolean {
    if (!this.cursor.text()) return false
    place.mark(this.cursor)
    return place.length <= maxTextCharacters
  }

  /** An id is a text, a whole number or null. */
  private idOf(place: TextPlace): boolean {
    const code = this.cursor.next()
    if (code === 110) return this.cursor.word(none)
    const isTaken = code === 34 ? this.cursor.text() : this.cursor.digits()
    if (!isTaken) return false
    place.mark(this.cursor)
    this.bytes += place.length
    return place.length <= maxTextCharacters
  }

  private instant(): boolean {
    const { cursor } = this
    if (cursor.next() !== 34) {
      if (!cursor.digits()) return false
      let value = 0
      for (let at = cursor.start; at < cursor.end; at++) value = value * 10 + cursor.bytes[at]! - 48
      return this.isInstant(value)
    }
    return cursor.text() && this.isInstant(cursor.ascii(cursor.start, cursor.end))
  }

  private isInstant(value: string | number): boolean {
    const instant = instantOf(value)
    this.timestamp = instant ?? 0
    return instant !== null
  }

  private values(apart: number, table: TextTable): boolean {
    const { cursor } = this
    if (cursor.next() === 110) return cursor.word(none)
    if (!cursor.take(123)) return false
    if (cursor.take(125)) return true
    do {
      const at = this.count
      if (at === mostValues || !this.name(at, apart, table) || !cursor.take(58)) return false
      if (cursor.next() === 110) {
        if (!cursor.word(none)) return false
      } else if (this.value(at)) this.count++
      else return false
    } while (cursor.take(44))
    return cursor.take(125)
  }

  /** Takes the name at the place `at`. The marker before mostly had the same name there, so that one is tried first. */
  private name(at: number, apart: number, table: TextTable): boolean {
    const { cursor } = this
    const place = this.namePlaces[at]!
    cursor.next()
    if (at < this.marked && cursor.again(place.start, place.end, place.hash)) {
      place.mark(cursor)
      this.names[at] = (this.names[at]! & ~1) | apart
      return true
    }
    if (!cursor.text() || cursor.end - cursor.start > maxTextCharacters) return false
    place.mark(cursor)
    this.names[at] = table.numberOf(cursor.bytes, cursor.start, cursor.end, cursor.hash) * 2 + apart
    this.marked = Math.max(this.marked, at + 1)
    return true
  }

  private value(at: number): boolean {
    const { cursor } = this
    const code = cursor.next()
    if (code === 34) {
      if (!cursor.text()) return false
      this.texts[at]!.mark(cursor)
      this.kinds[at] = valueKind.text
      this.bytes += cursor.end - cursor.start
      return true
    }
    this.bytes += scalarBytes
    if (code === 116 || code === 102) {
      this.kinds[at] = code === 116 ? valueKind.yes : valueKind.no
      return cursor.word(code === 116 ? yes : no)
    }
    if (!cursor.decimal()) return false
    this.kinds[at] = valueKind.number
    this.numbers[at] = cursor.number
    return true
  }
}
