import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import { crc32 } from "node:zlib"
import { originBytes, type Token } from "./Token.ts"
import type { LogMark } from "./LogMark.ts"

/** The file of checksums beside a database has its name and this. */
export const sumsSuffix = "-sums"

/** "GKPS", the first bytes of a file of checksums. */
const magic = 0x474b5053
const version = 1
export const sumsHeaderBytes = 64
const originAt = 28
const countAt = originAt + originBytes
const checkedBytes = 60
/** Checksums of more pages are written with all the others, at once: so many small writes take longer than one of a mebibyte. */
const mostRuns = 1000

export interface SumsHeader {
  readonly pageSize: number
  /** Pages of the database at the last checkpoint. */
  readonly pageCount: number
  /** What the database held right before it. */
  readonly token: Token
  readonly mark: LogMark
}

/** The checksum of a page's bytes at its place; never 0, which stands for a page whose checksum is not known. */
export const pageSum = (bytes: Uint8Array, page: number): number => crc32(bytes, page) || 1

export const encodeHeader = ({ pageSize, pageCount, token, mark }: SumsHeader): Uint8Array => {
  const bytes = new Uint8Array(sumsHeaderBytes)
  const view = new DataView(bytes.buffer)
  const words = [magic, version, pageSize, pageCount, mark?.salts[0] ?? 0, mark?.salts[1] ?? 0, mark?.frames ?? 0]
  for (const [at, word] of words.entries()) view.setUint32(at * 4, word)
  bytes.set(token.origin, originAt)
  view.setUint32(countAt, token.count)
  view.setUint32(checkedBytes, crc32(bytes.subarray(0, checkedBytes)))
  return bytes
}

/** Null when the bytes are no header, or damaged. */
export const decodeHeader = (bytes: Uint8Array): SumsHeader | null => {
  if (bytes.length < sumsHeaderBytes) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, sumsHeaderBytes)
  const word = (at: number) => view.getUint32(at * 4)
  if (word(0) !== magic || word(1) !== version) return null
  if (view.getUint32(checkedBytes) !== crc32(bytes.subarray(0, checkedBytes))) return null
  return {
    pageSize: word(2),
    pageCount: word(3),
    mark: word(6) === 0 ? null : { salts: [word(4), word(5)], frames: word(6) },
    token: { origin: bytes.slice(originAt, countAt), count: view.getUint32(countAt) }
  }
}

/**
 * The checksums of all pages of a database, in a file beside it: a header, then 4 bytes for each page. In memory it is an array, 0.05 %
 * of the database.
 */
export class PageSums {
  private readonly descriptor: number
  private sums: Uint32Array

  private constructor(descriptor: number, sums: Uint32Array) {
    this.descriptor = descriptor
    this.sums = sums
  }

  /**
   * The stored checksums and their header; null when there are none, or none that can be read. Whoever only compares opens them for reading
   * ("r").
   */
  static read(file: string, mode: "r" | "r+" = "r+"): { readonly header: SumsHeader; readonly sums: PageSums } | null {
    let bytes: Uint8Array
    try {
      bytes = new Uint8Array(readFileSync(file))
    } catch {
      return null
    }
    const header = decodeHeader(bytes)
    if (header === null) return null
    const sums = new Uint32Array(header.pageCount)
    const words = bytes.slice(sumsHeaderBytes, sumsHeaderBytes + header.pageCount * 4)
    sums.set(new Uint32Array(words.buffer, 0, Math.floor(words.length / 4)))
    return { header, sums: new PageSums(openSync(file, mode), sums) }
  }

  /** Writes a new file of checksums, which takes the place of an older one when it is complete. */
  static write(file: string, header: SumsHeader, sums: Uint32Array): PageSums {
    const fresh = `${file}.new`
    const descriptor = openSync(fresh, "w+", 0o600)
    writeSync(descriptor, encodeHeader(header), 0, sumsHeaderBytes, 0)
    writeSync(descriptor, new Uint8Array(sums.buffer, 0, sums.byteLength), 0, sums.byteLength, sumsHeaderBytes)
    fsyncSync(descriptor)
    renameSync(fresh, file)
    return new PageSums(descriptor, sums)
  }

  /** 0 when it is not known. */
  of(page: number): number {
    return this.sums[page - 1] ?? 0
  }

  /** Forgets the checksums of all pages after `kept`, then stores the given ones, by page. */
  store(kept: number, pageCount: number, fresh: ReadonlyMap<number, number>): void {
    const grown = new Uint32Array(pageCount)
    grown.set(this.sums.subarray(0, Math.min(kept, pageCount)))
    for (const [page, sum] of fresh) if (page <= pageCount) grown[page - 1] = sum
    const isShorter = kept < this.sums.length
    this.sums = grown
    const changed =
      isShorter || fresh.size > mostRuns
        ? null
        : [...fresh.keys()].filter((page) => page <= pageCount).sort((a, b) => a - b)
    for (const [first, last] of changed === null ? [[1, pageCount] as const] : runsOf(changed)) {
      const bytes = new Uint8Array(grown.buffer, (first - 1) * 4, (last - first + 1) * 4)
      writeSync(this.descriptor, bytes, 0, bytes.length, sumsHeaderBytes + (first - 1) * 4)
    }
  }

  writeHeader(header: SumsHeader): void {
    writeSync(this.descriptor, encodeHeader(header), 0, sumsHeaderBytes, 0)
  }

  sync(): void {
    fsyncSync(this.descriptor)
  }

  close(): void {
    closeSync(this.descriptor)
  }
}

/** Unbroken ranges of ascending page numbers. */
function* runsOf(pages: ReadonlyArray<number>): Generator<readonly [first: number, last: number]> {
  let [first] = pages
  let last = first
  if (first === undefined || last === undefined) return
  for (const page of pages.slice(1)) {
    if (page !== last + 1) {
      yield [first, last]
      first = page
    }
    last = page
  }
  yield [first, last]
}
