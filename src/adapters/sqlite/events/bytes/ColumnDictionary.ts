import type { Value } from "../../../../domain/analytics/markers/Event.ts"
import { ByteReader, DamagedBytes } from "./ByteReader.ts"
import { ByteWriter } from "./ByteWriter.ts"
import { markerIdBytes, readMarkerId, writeMarkerId } from "./MarkerId.ts"
import { readBlock, writeBlock } from "./CompressedBlock.ts"
import { readValue, writeValue } from "./Scalars.ts"

export const form = { texts: 0, values: 1, uuids: 2 } as const
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The distinct values of a column by their number, from 0. Texts are decoded when they are first asked for. */
export interface ColumnDictionary {
  readonly count: number
  value(index: number): Value
}

export const columnDictionaryOf = (values: ReadonlyArray<Value>): ColumnDictionary => ({
  count: values.length,
  value: (index) => values[index]!
})

const writeUuids = (out: ByteWriter, values: ReadonlyArray<Value>): void => {
  const bytes = new Uint8Array(values.length * markerIdBytes)
  for (const [index, value] of values.entries()) writeMarkerId(String(value), bytes, index * markerIdBytes)
  writeBlock(out, bytes)
}

const writeTexts = (out: ByteWriter, values: ReadonlyArray<Value>): void => {
  const texts = new ByteWriter()
  for (const value of values) texts.string(String(value))
  writeBlock(out, texts.bytes.subarray(0, texts.length))
}

const writeAny = (out: ByteWriter, values: ReadonlyArray<Value>): void => {
  const texts = new Map<string, number>()
  const body = new ByteWriter()
  for (const value of values)
    writeValue(body, value, (text) => texts.get(text) ?? (texts.set(text, texts.size), texts.size - 1))
  const whole = new ByteWriter()
  whole.varint(texts.size)
  for (const text of texts.keys()) whole.string(text)
  whole.raw(body.bytes.subarray(0, body.length))
  writeBlock(out, whole.bytes.subarray(0, whole.length))
}

/** Chooses the smallest form that fits all values: 16 bytes for each UUID, plain texts, or tagged values. */
export const writeColumnDictionary = (out: ByteWriter, values: ReadonlyArray<Value>): void => {
  const isText = values.every((value) => typeof value === "string")
  const isUuid = isText && values.length > 0 && values.every((value) => uuid.test(String(value)))
  out.u8(isUuid ? form.uuids : isText ? form.texts : form.values)
  out.varint(values.length)
  if (isUuid) writeUuids(out, values)
  else if (isText) writeTexts(out, values)
  else writeAny(out, values)
}

/** Remembers each text that `decode` made. */
const lazy = (count: number, decode: (index: number) => string): ColumnDictionary => {
  const known: Array<string | undefined> = []
  return { count, value: (index) => (known[index] ??= decode(index)) }
}

const readTexts = (bytes: Uint8Array, count: number): ColumnDictionary => {
  const from = new ByteReader(bytes)
  const starts = new Uint32Array(count)
  for (let index = 0; index < count; index++) {
    starts[index] = from.offset
    from.skip(from.varint())
  }
  return lazy(count, (index) => new ByteReader(bytes, starts[index]).string())
}

const readAny = (bytes: Uint8Array, count: number): ColumnDictionary => {
  const from = new ByteReader(bytes)
  const texts = Array.from({ length: from.varint() }, () => from.string())
  return columnDictionaryOf(Array.from({ length: count }, () => readValue(from, (index) => texts[index] ?? "")))
}

export const readColumnDictionary = (from: ByteReader): ColumnDictionary => {
  const kind = from.u8()
  const count = from.varint()
  const bytes = readBlock(from)
  if (kind === form.texts) return readTexts(bytes, count)
  if (kind === form.values) return readAny(bytes, count)
  if (kind !== form.uuids || bytes.length !== count * markerIdBytes)
    throw new DamagedBytes(`Unknown encoding ${kind} of a dictionary`)
  return lazy(count, (index) => readMarkerId(bytes, index * markerIdBytes))
}
