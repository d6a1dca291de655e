import { closeSync, fstatSync, openSync, readSync } from "node:fs"

/** Bytes before the first frame of a write-ahead log, and before the page of each frame (sqlite.org/fileformat2, chapter 4). */
export const logHeaderBytes = 32
export const frameHeaderBytes = 24

const magic = 0x377f0682

/** The two numbers that a log and all its valid frames carry. The first counts up whenever the log begins anew. */
export type Salts = readonly [first: number, second: number]

type Sum = readonly [first: number, second: number]

interface Frame {
  readonly page: number
  /** The number of pages of the database after the transaction that ends here; 0 within a transaction. */
  readonly pageCount: number
  readonly salts: Salts
  readonly sum: Sum
}

/** What SQLite will find in a log. */
export interface LogState {
  /** Null when there is no log, or SQLite will not accept its header. */
  readonly salts: Salts | null
  /** Frames up to the end of the last whole transaction. */
  readonly frames: number
  /** The pages in these frames. */
  readonly pages: ReadonlySet<number>
  /** Where the newest version of each of these pages begins in the log, in bytes. */
  readonly places: ReadonlyMap<number, number>
  /** The number of pages of the database after them; 0 when there are none. */
  readonly pageCount: number
  /** Why transactions that had reached the disk are left out; null when none is. */
  readonly damage: string | null
}

const none: LogState = { salts: null, frames: 0, pages: new Set(), places: new Map(), pageCount: 0, damage: null }

/** SQLite's checksum of a multiple of 8 bytes, continued from `sum`. */
const checksum = (bytes: DataView, from: number, to: number, isLittleEndian: boolean, [first, second]: Sum): Sum => {
  let [a, b] = [first, second]
  for (let at = from; at < to; at += 8) {
    a = (a + bytes.getUint32(at, isLittleEndian) + b) | 0
    b = (b + bytes.getUint32(at + 4, isLittleEndian) + a) | 0
  }
  return [a >>> 0, b >>> 0]
}

const isSame = (left: Sum, right: Sum): boolean => left[0] === right[0] && left[1] === right[1]

const frameOf = (bytes: DataView): Frame => ({
  page: bytes.getUint32(0),
  pageCount: bytes.getUint32(4),
  salts: [bytes.getUint32(8), bytes.getUint32(12)],
  sum: [bytes.getUint32(16), bytes.getUint32(20)]
})

/** The frames of a log, by number from 0. */
class LogFrames {
  readonly count: number
  private readonly descriptor: number
  private readonly isLittleEndian: boolean
  private readonly bytes: DataView

  constructor(descriptor: number, size: number, pageSize: number, isLittleEndian: boolean) {
    this.descriptor = descriptor
    this.isLittleEndian = isLittleEndian
    this.bytes = new DataView(new ArrayBuffer(frameHeaderBytes + pageSize))
    this.count = Math.max(0, Math.floor((size - logHeaderBytes) / this.bytes.byteLength))
  }

  header(number: number): Frame {
    this.read(number, frameHeaderBytes)
    return frameOf(this.bytes)
  }

  /** The frame, and the checksum that it must have if `before` is that of the frame before it. */
  checked(number: number, before: Sum): { readonly frame: Frame; readonly expected: Sum } {
    const { bytes, isLittleEndian } = this
    this.read(number, bytes.byteLength)
    const expected = checksum(bytes, 0, 8, isLittleEndian, before)
    return {
      frame: frameOf(bytes),
      expected: checksum(bytes, frameHeaderBytes, bytes.byteLength, isLittleEndian, expected)
    }
  }

  /** Where the page of a frame begins, in bytes. */
  placeOf(number: number): number {
    return logHeaderBytes + number * this.bytes.byteLength + frameHeaderBytes
  }

  private read(number: number, length: number): void {
    readSync(this.descriptor, this.bytes, 0, length, this.placeOf(number) - frameHeaderBytes)
  }
}

/**
 * Looks behind the frames that SQLite accepts, from frame `first` on. A transaction is written after the one before it is on disk, so
 * if a frame follows the end of a whole transaction there, that transaction had been on disk and something before it was damaged. A
 * frame is valid in itself if its checksum continues the one that is stored in the frame before it.
 */
const isDamagedFrom = (log: LogFrames, first: number, salts: Salts): boolean => {
  let hasEnded = false
  for (let number = Math.max(1, first); number < log.count; number++) {
    const before = log.header(number - 1)
    const { frame, expected } = log.checked(number, before.sum)
    if (!isSame(frame.salts, salts) || !isSame(frame.sum, expected)) continue
    if (hasEnded) return true
    hasEnded = frame.pageCount !== 0
  }
  return false
}

const read = (descriptor: number, expectedPageSize: number): LogState => {
  const { size } = fstatSync(descriptor)
  const header = new DataView(new ArrayBuffer(logHeaderBytes))
  if (readSync(descriptor, header, 0, logHeaderBytes, 0) < logHeaderBytes) return none
  const isLittleEndian = (header.getUint32(0) & 1) === 0
  const salts: Salts = [header.getUint32(16), header.getUint32(20)]
  const sum: Sum = [header.getUint32(24), header.getUint32(28)]
  const isAccepted =
    header.getUint32(0) >>> 1 === magic >>> 1 && isSame(checksum(header, 0, 24, isLittleEndian, [0, 0]), sum)
  if (!isAccepted) {
    const log = new LogFrames(descriptor, size, expectedPageSize, true)
    const damage = log.count > 0 && isDamagedFrom(log, 1, log.header(0).salts) ? "its header is damaged" : null
    return { ...none, damage }
  }
  const log = new LogFrames(descriptor, size, header.getUint32(8), isLittleEndian)
  const places = new Map<number, number>()
  let [frames, pageCount, number, last] = [0, 0, 0, sum]
  let open: Array<readonly [page: number, place: number]> = []
  for (; number < log.count; number++) {
    const { frame, expected } = log.checked(number, last)
    if (frame.page === 0 || !isSame(frame.salts, salts) || !isSame(frame.sum, expected)) break
    last = expected
    open.push([frame.page, log.placeOf(number)])
    if (frame.pageCount === 0) continue
    for (const [page, place] of open) places.set(page, place)
    open = []
    frames = number + 1
    pageCount = frame.pageCount
  }
  const damage = isDamagedFrom(log, number, salts) ? `frame ${number + 1} of ${log.count} is damaged` : null
  return { salts, frames, pages: new Set(places.keys()), places, pageCount, damage }
}

/**
 * Reads the write-ahead log of a database as SQLite will when it opens it. SQLite takes the first frame whose checksum is wrong for the
 * end of the log; this tells an end from damage in the middle. `pageSize` is used where the log does not tell its own.
 */
export const inspectLog = (file: string, pageSize: number): LogState => {
  let descriptor: number
  try {
    descriptor = openSync(file, "r")
  } catch {
    return none
  }
  try {
    return read(descriptor, pageSize)
  } finally {
    closeSync(descriptor)
  }
}
