import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
/** Compression is kept when the result is smaller than this share of the original. */
export const worthwhile = 0.85

/** Writes bytes, compressed when that saves 15 %. */
export const writeBlock = (out: ByteWriter, bytes: Uint8Array): void => {
  const compressed = bytes.length < 64 ? bytes : brotliCompressSync(bytes, quality)
  const isSmaller = compressed.length < bytes.length * worthwhile
  out.u8(isSmaller ? 1 : 0)
  out.varint(isSmaller ? compressed.length : bytes.length)
  out.raw(isSmaller ? compressed : bytes)
}

/** `size` is that of the bytes, if it is known, so that they come in one piece. */
export const readBlock = (from: ByteReader, size?: number): Uint8Array => {
  const isCompressed = from.u8() === 1
  const stored = from.raw(from.varint())
  return isCompressed ? brotliDecompressSync(stored, { chunkSize: (size ?? stored.length * 4) + 64 }) : stored
}
