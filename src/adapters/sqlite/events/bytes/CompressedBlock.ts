import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
/** A block is stored compressed only if that leaves less than this share of its bytes. */
export const keptShare = 0.85
/** Blocks of fewer bytes are never compressed. */
export const leastCompressed = 64

/** Writes bytes with their length, compressed by Brotli if that saves 15 % or more. */
export const writeBlock = (out: ByteWriter, bytes: Uint8Array): void => {
  const compressed = bytes.length < leastCompressed ? bytes : brotliCompressSync(bytes, quality)
  const isSmaller = compressed.length < bytes.length * keptShare
  out.u8(isSmaller ? 1 : 0)
  out.varint(isSmaller ? compressed.length : bytes.length)
  out.raw(isSmaller ? compressed : bytes)
}

/**
 * Reverses `writeBlock`. `size`, the length of the original bytes where it is known, lets Brotli decompress into one
 * buffer.
 */
export const readBlock = (from: ByteReader, size?: number): Uint8Array => {
  const isCompressed = from.u8() === 1
  const stored = from.raw(from.varint())
  return isCompressed ? brotliDecompressSync(stored, { chunkSize: (size ?? stored.length * 4) + 64 }) : stored
}
