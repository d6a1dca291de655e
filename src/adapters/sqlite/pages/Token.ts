import { randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"

export const originBytes = 8
const tokenBytes = 16
const checkedBytes = 12

/**
 * What a database holds in its table `page_token`, to tell which state of it a file of checksums describes. `origin` is random. The
 * count is even right before a checkpoint, and odd from right after it on, so that a copy of the running database has a count of its own.
 */
export interface Token {
  readonly origin: Uint8Array
  readonly count: number
}

export const newOrigin = (): Uint8Array => new Uint8Array(randomBytes(originBytes))

export const encodeToken = ({ origin, count }: Token): Uint8Array => {
  const bytes = new Uint8Array(tokenBytes)
  const view = new DataView(bytes.buffer)
  bytes.set(origin)
  view.setUint32(originBytes, count)
  view.setUint32(checkedBytes, crc32(bytes.subarray(0, checkedBytes)))
  return bytes
}

/** Null when the bytes are damaged: a damaged token is never taken for another one. */
export const decodeToken = (bytes: Uint8Array): Token | null => {
  if (bytes.length !== tokenBytes) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(checkedBytes) !== crc32(bytes.subarray(0, checkedBytes))) return null
  return { origin: bytes.slice(0, originBytes), count: view.getUint32(originBytes) }
}

export const isSameOrigin = (left: Token, right: Token): boolean => Buffer.compare(left.origin, right.origin) === 0

/** How far the token of a database with a log may be ahead of the checksums: right after a checkpoint, or within the next one. */
const mostAhead = 2

/** Whether a database with this token, and so many frames in its log, is the one that the checksums noted with theirs. */
export const isOwn = (token: Token, noted: Token, frames: number): boolean => {
  const ahead = token.count - noted.count
  return isSameOrigin(token, noted) && ahead >= 0 && ahead <= (frames > 0 ? mostAhead : 0)
}
