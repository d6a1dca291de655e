/** A value as SQLite stores it; integers beyond 32 bits as bigint. */
export type StoredCell = null | number | bigint | string | Uint8Array

/** The bytes of a record do not have the form of one. */
export class UnreadableRecord extends Error {
  override readonly name = "UnreadableRecord"
}

/** SQLite's variable-length integers: seven bits a byte, highest first, and eight in the ninth. */
export const varintAt = (bytes: Uint8Array, at: number): readonly [value: number, end: number] => {
  let value = 0
  for (let place = 0; place < 9; place++) {
    const byte = bytes[at + place]
    if (byte === undefined) throw new UnreadableRecord("A number is cut off")
    if (place === 8) return [value * 256 + byte, at + 9]
    value = value * 128 + (byte & 127)
    if (byte < 128) return [value, at + place + 1]
  }
  throw new UnreadableRecord("A number has no end")
}

/** The rowid of a table's row, which may be negative. */
export const rowidAt = (bytes: Uint8Array, at: number): readonly [value: bigint, end: number] => {
  let value = 0n
  for (let place = 0; place < 9; place++) {
    const byte = bytes[at + place]
    if (byte === undefined) throw new UnreadableRecord("A row's number is cut off")
    if (place === 8) return [BigInt.asIntN(64, value * 256n + BigInt(byte)), at + 9]
    value = value * 128n + BigInt(byte & 127)
    if (byte < 128) return [BigInt.asIntN(64, value), at + place + 1]
  }
  throw new UnreadableRecord("A row's number has no end")
}

const lengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

const lengthOf = (kind: number): number => lengths[kind] ?? Math.floor((kind - 12) / 2)

const integer = (bytes: Uint8Array): number | bigint => {
  let value = 0n
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  const signed = BigInt.asIntN(bytes.length * 8, value)
  return BigInt.asIntN(32, signed) === signed ? Number(signed) : signed
}

const text = new TextDecoder("utf-8", { ignoreBOM: true })

const valueOf = (kind: number, bytes: Uint8Array): StoredCell => {
  if (kind === 0) return null
  if (kind === 8 || kind === 9) return kind - 8
  if (kind === 7) return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0)
  if (kind < 7) return integer(bytes)
  if (kind < 12) throw new UnreadableRecord(`There are no values of kind ${kind}`)
  return kind % 2 === 0 ? bytes.slice() : text.decode(bytes)
}

/** The values of a record. Of one that was cut off, those that are whole, and what is there of a blob. */
export const valuesIn = (bytes: Uint8Array): ReadonlyArray<StoredCell> => {
  const [headerEnd, first] = varintAt(bytes, 0)
  const kinds: Array<number> = []
  for (let at = first; at < headerEnd;) {
    const [kind, next] = varintAt(bytes, at)
    kinds.push(kind)
    at = next
  }
  const values: Array<StoredCell> = []
  let at = headerEnd
  for (const kind of kinds) {
    const end = at + lengthOf(kind)
    const isCut = end > bytes.length
    if (isCut && (kind < 12 || kind % 2 === 1)) break
    values.push(valueOf(kind, bytes.subarray(at, Math.min(end, bytes.length))))
    if (isCut) break
    at = end
  }
  return values
}
