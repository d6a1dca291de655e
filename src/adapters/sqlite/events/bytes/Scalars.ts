import type { Scalar, Value } from "../../../../domain/analytics/markers/Event.ts"
import { type ByteReader, DamagedBytes } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

export const tag = { text: 0, integer: 1, thousandths: 2, double: 3, yes: 4, no: 5, list: 6 } as const

/** The largest magnitude stored as an integer or in thousandths; larger numbers are stored as doubles. */
export const largestExact = 2 ** 51

/**
 * Writes any finite number without loss: integers and numbers of up to three decimals as varints, others as float64.
 */
export const writeNumber = (out: ByteWriter, value: number): void => {
  const scaled = Math.round(value * 1000)
  if (Math.abs(scaled) > largestExact || scaled / 1000 !== value) {
    out.u8(tag.double)
    out.f64(value)
  } else if (Number.isInteger(value)) {
    out.u8(tag.integer)
    out.zigzag(value)
  } else {
    out.u8(tag.thousandths)
    out.zigzag(scaled)
  }
}

/** Writes a value. `reference` gives the index of a string in the caller's string table. */
export const writeValue = (out: ByteWriter, value: Value, reference: (text: string) => number): void => {
  if (typeof value === "string") {
    out.u8(tag.text)
    out.varint(reference(value))
  } else if (typeof value === "number") writeNumber(out, value)
  else if (typeof value === "boolean") out.u8(value ? tag.yes : tag.no)
  else {
    out.u8(tag.list)
    out.varint(value.length)
    for (const item of value) writeValue(out, item, reference)
  }
}

const readScalar = (from: ByteReader, kind: number, strings: (reference: number) => string): Scalar => {
  switch (kind) {
    case tag.text:
      return strings(from.varint())
    case tag.integer:
      return from.zigzag()
    case tag.thousandths:
      return from.zigzag() / 1000
    case tag.double:
      return from.f64()
    case tag.yes:
      return true
    case tag.no:
      return false
    default:
      throw new DamagedBytes(`Unknown tag ${kind} of a value`)
  }
}

export const readNumber = (from: ByteReader): number => Number(readScalar(from, from.u8(), () => "NaN"))

export const readValue = (from: ByteReader, strings: (reference: number) => string): Value => {
  const kind = from.u8()
  if (kind !== tag.list) return readScalar(from, kind, strings)
  return Array.from({ length: from.varint() }, () => readScalar(from, from.u8(), strings))
}
