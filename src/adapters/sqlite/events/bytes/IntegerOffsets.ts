import { joinPlanes, packBits, planeOf, unpackBits } from "./BitPacking.ts"
import { type ByteReader, DamagedBytes } from "./ByteReader.ts"
import { ByteWriter } from "./ByteWriter.ts"
import { readBlock, keptShare, writeBlock } from "./CompressedBlock.ts"
import { frameRows, framesOf, joinFrames, widthOfAll } from "./OffsetFrames.ts"

/** `shuffled` (all byte planes in one block) is no longer written, but files that contain it must stay readable. */
export const form = { bits: 0, shuffled: 1, doubles: 2, planes: 3, sparse: 4, frames: 5 } as const

/** Fewer rows than this are neither sparse nor in frames. */
export const leastPatterned = 64

const notAsMany = "Stored integers are not as many as the rows they belong to"

/** Compresses each byte plane on its own: planes that look random stay uncompressed and cost nothing to read. */
const writeDense = (out: ByteWriter, offsets: Uint32Array, width: number): void => {
  const planes = Math.ceil(width / 8)
  const packed = new ByteWriter(offsets.length * planes + 32)
  for (let plane = 0; plane < planes; plane++) writeBlock(packed, planeOf(offsets, plane))
  const bits = width > 24 ? Infinity : Math.ceil((offsets.length * width) / 8) + 4
  if (packed.length < bits * keptShare || bits === Infinity) {
    out.u8(form.planes)
    out.u8(planes)
    out.raw(packed.bytes.subarray(0, packed.length))
  } else {
    out.u8(form.bits)
    out.u8(width)
    out.raw(packBits(offsets, width))
  }
}

/** A bit for each row, set where the offset is not 0, and the offsets of these rows alone. */
const writeSparse = (out: ByteWriter, offsets: Uint32Array, width: number, present: number): void => {
  const bitmap = new Uint8Array(Math.ceil(offsets.length / 8))
  const others = new Uint32Array(present)
  let at = 0
  for (let row = 0; row < offsets.length; row++) {
    const offset = offsets[row]!
    if (offset === 0) continue
    bitmap[row >>> 3]! |= 1 << (row & 7)
    others[at++] = offset
  }
  out.u8(form.sparse)
  writeBlock(out, bitmap)
  writeDense(out, others, width)
}

const presentIn = (offsets: Uint32Array): number => {
  let present = 0
  for (let row = 0; row < offsets.length; row++) if (offsets[row] !== 0) present++
  return present
}

/** Writes offsets of at most `width` bits: without those that are 0, where that saves 15 % or more of their bits. */
export const writeOffsets = (out: ByteWriter, offsets: Uint32Array, width: number): void => {
  const rows = offsets.length
  const present = rows < leastPatterned ? rows : presentIn(offsets)
  if (rows + present * width < rows * width * keptShare) writeSparse(out, offsets, width, present)
  else writeDense(out, offsets, width)
}

const framed = (offsets: Uint32Array): Uint8Array => {
  const out = new ByteWriter(offsets.length * 2 + 64)
  const { width, rest, bases, gaps, exceptions } = framesOf(offsets)
  out.u8(form.frames)
  out.u8(width)
  out.raw(packBits(rest, width))
  writeDense(out, bases, widthOfAll(bases))
  out.varint(gaps.length)
  writeDense(out, gaps, widthOfAll(gaps))
  writeDense(out, exceptions, widthOfAll(exceptions))
  return out.bytes.subarray(0, out.length)
}

/** Writes offsets most of which are near those around them: in frames, where that saves 15 % or more of their bits. */
export const writeNearOffsets = (out: ByteWriter, offsets: Uint32Array, width: number): void => {
  const frames = offsets.length < leastPatterned ? null : framed(offsets)
  if (frames !== null && frames.length < Math.ceil((offsets.length * width) / 8) * keptShare) out.raw(frames)
  else writeOffsets(out, offsets, width)
}

/** The byte planes of `count` offsets, the lowest plane first. */
export const readPlanes = (from: ByteReader, kind: number, count: number): ReadonlyArray<Uint8Array> => {
  const planes = from.u8()
  if (planes > 4) throw new DamagedBytes(notAsMany)
  if (kind === form.shuffled) {
    const bytes = readBlock(from, planes * count)
    if (bytes.length !== planes * count) throw new DamagedBytes(notAsMany)
    return Array.from({ length: planes }, (_, plane) => bytes.subarray(plane * count, (plane + 1) * count))
  }
  if (kind !== form.planes) throw new DamagedBytes(`Unknown encoding ${kind} of integers`)
  return Array.from({ length: planes }, () => {
    const bytes = readBlock(from, count)
    if (bytes.length !== count) throw new DamagedBytes(notAsMany)
    return bytes
  })
}

export const readBits = (from: ByteReader, count: number): { readonly width: number; readonly bytes: Uint8Array } => {
  const width = from.u8()
  if (width > 24) throw new DamagedBytes(`Unknown width of ${width} bits for packed integers`)
  return { width, bytes: from.raw(Math.ceil((count * width) / 8) + 4) }
}

const readDense = (from: ByteReader, kind: number, offsets: Uint32Array): void => {
  if (kind === form.bits) {
    const { width, bytes } = readBits(from, offsets.length)
    unpackBits(bytes, width, offsets)
  } else joinPlanes(readPlanes(from, kind, offsets.length), offsets)
}

const denseOf = (from: ByteReader, count: number): Uint32Array => {
  const offsets = new Uint32Array(count)
  readDense(from, from.u8(), offsets)
  return offsets
}

const bitsOfByte = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length)

const readSparse = (from: ByteReader, offsets: Uint32Array): void => {
  const bytes = (offsets.length + 7) >>> 3
  const bitmap = readBlock(from, bytes)
  if (bitmap.length !== bytes) throw new DamagedBytes(notAsMany)
  let present = 0
  for (let at = 0; at < bitmap.length; at++) present += bitsOfByte[bitmap[at]!]!
  const others = denseOf(from, present)
  offsets.fill(0)
  let next = 0
  for (let at = 0; at < bitmap.length; at++)
    for (let left = bitmap[at]!; left !== 0; left &= left - 1)
      offsets[at * 8 + 31 - Math.clz32(left & -left)] = others[next++]!
}

const readFrames = (from: ByteReader, offsets: Uint32Array): void => {
  const { width, bytes } = readBits(from, offsets.length)
  unpackBits(bytes, width, offsets)
  const bases = denseOf(from, Math.ceil(offsets.length / frameRows))
  const count = from.varint()
  if (count > offsets.length) throw new DamagedBytes(notAsMany)
  const [gaps, exceptions] = [denseOf(from, count), denseOf(from, count)]
  if (!joinFrames(offsets, { bases, gaps, exceptions })) throw new DamagedBytes(notAsMany)
}

/** Reads as many offsets as there is room for, in any form but `doubles`. */
export const readOffsets = (from: ByteReader, kind: number, offsets: Uint32Array): void => {
  if (kind === form.sparse) readSparse(from, offsets)
  else if (kind === form.frames) readFrames(from, offsets)
  else readDense(from, kind, offsets)
}

/** Whether single offsets can be read without the others. */
export const isDirect = (kind: number): boolean => kind !== form.sparse && kind !== form.frames
