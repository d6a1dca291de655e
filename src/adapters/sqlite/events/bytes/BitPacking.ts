/** The number of bits that hold every integer from 0 to `range`. */
export const bitsFor = (range: number): number => (range === 0 ? 0 : Math.floor(Math.log2(range)) + 1)

/**
 * Writes each offset in `width` bits (at most 24), lowest bits first, followed by four bytes of padding so that readers
 * may load whole words.
 */
export const packBits = (offsets: Uint32Array, width: number): Uint8Array => {
  const bytes = new Uint8Array(Math.ceil((offsets.length * width) / 8) + 4)
  for (let index = 0, bit = 0; index < offsets.length; index++, bit += width) {
    const shifted = offsets[index]! << (bit & 7)
    const at = bit >>> 3
    bytes[at]! |= shifted
    bytes[at + 1]! |= shifted >>> 8
    bytes[at + 2]! |= shifted >>> 16
    bytes[at + 3]! |= shifted >>> 24
  }
  return bytes
}

const wordsOf = (bytes: Uint8Array): Uint32Array => {
  const words = new Uint32Array((bytes.length + 7) >>> 2)
  new Uint8Array(words.buffer).set(bytes)
  return words
}

/** Reverses `packBits`. `bytes` must include its four bytes of padding. */
export const unpackBits = (bytes: Uint8Array, width: number, into: Uint32Array): void => {
  const words = wordsOf(bytes)
  const mask = 2 ** width - 1
  for (let index = 0, bit = 0; index < into.length; index++, bit += width) {
    const at = bit >>> 5
    const shift = bit & 31
    into[index] = ((words[at]! >>> shift) | ((words[at + 1]! << 1) << (31 - shift))) & mask
  }
}

/**
 * The offset at one `index`, without unpacking the others. `bytes` must include the four bytes of padding of
 * `packBits`.
 */
export const bitsAt = (bytes: Uint8Array, width: number, index: number): number => {
  const bit = index * width
  const at = Math.floor(bit / 8)
  const word = bytes[at]! + bytes[at + 1]! * 2 ** 8 + bytes[at + 2]! * 2 ** 16 + bytes[at + 3]! * 2 ** 24
  return Math.floor(word / 2 ** (bit & 7)) % 2 ** width
}

/** The indices, ascending, at which `packBits` has written this offset, of `count` offsets. */
export const placesInBits = (bytes: Uint8Array, width: number, count: number, offset: number): Array<number> => {
  const words = wordsOf(bytes)
  const mask = 2 ** width - 1
  const found: Array<number> = []
  for (let index = 0, bit = 0; index < count; index++, bit += width) {
    const at = bit >>> 5
    const shift = bit & 31
    const own = ((words[at]! >>> shift) | ((words[at + 1]! << 1) << (31 - shift))) & mask
    if (own === offset) found.push(index)
  }
  return found
}

/** Byte number `plane` (0 is the lowest) of every offset. */
export const planeOf = (offsets: Uint32Array, plane: number): Uint8Array => {
  const bytes = new Uint8Array(offsets.length)
  const shift = plane * 8
  for (let index = 0; index < bytes.length; index++) bytes[index] = offsets[index]! >>> shift
  return bytes
}

/** Reverses `planeOf`: combines up to four byte planes, the lowest first, into offsets. */
export const joinPlanes = (planes: ReadonlyArray<Uint8Array>, into: Uint32Array): void => {
  const [a, b, c, d] = planes
  const length = into.length
  if (a === undefined) into.fill(0)
  else if (b === undefined) into.set(a)
  else if (c === undefined) for (let index = 0; index < length; index++) into[index] = a[index]! | (b[index]! << 8)
  else if (d === undefined)
    for (let index = 0; index < length; index++) into[index] = a[index]! | (b[index]! << 8) | (c[index]! << 16)
  else
    for (let index = 0; index < length; index++)
      into[index] = a[index]! | (b[index]! << 8) | (c[index]! << 16) | (d[index]! << 24)
}

/** The indices, ascending, at which byte planes of `count` offsets hold this one. */
export const placesInPlanes = (planes: ReadonlyArray<Uint8Array>, count: number, offset: number): Array<number> => {
  const [lowest, ...higher] = planes
  if (offset < 0 || offset >= 256 ** planes.length) return []
  if (lowest === undefined) return Array.from({ length: count }, (_, index) => index)
  const wanted = higher.map((_, plane) => Math.floor(offset / 256 ** (plane + 1)) % 256)
  const found: Array<number> = []
  for (let at = lowest.indexOf(offset % 256); at >= 0; at = lowest.indexOf(offset % 256, at + 1))
    if (higher.every((plane, index) => plane[at] === wanted[index])) found.push(at)
  return found
}
