import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs"
import { missingFrom } from "../pages/LogMark.ts"
import { decodeHeader, pageSum, type SumsHeader, sumsHeaderBytes, sumsSuffix } from "../pages/PageSums.ts"
import { isOwn, type Token } from "../pages/Token.ts"
import { inspectLog, type LogState } from "../pages/WriteAheadLog.ts"

const sqlite = "SQLite format 3\0"

interface StoredSums {
  readonly header: SumsHeader
  readonly sums: DataView
}

const storedSums = (file: string): StoredSums | null => {
  if (!existsSync(file)) return null
  const bytes = new Uint8Array(readFileSync(file))
  const header = decodeHeader(bytes)
  return header === null
    ? null
    : {
        header,
        sums: new DataView(
          bytes.buffer,
          sumsHeaderBytes,
          Math.min(bytes.length - sumsHeaderBytes, header.pageCount * 4)
        )
      }
}

/**
 * The pages of a database as of its last whole transaction, from the file and its log, read without SQLite and without changing either. A
 * page that is not as it was written is none.
 */
export class PageSource {
  readonly pageSize: number
  /** Pages of the database, those included that a truncation has cut off. */
  readonly count: number
  /** What is missing from the log, in words; null when nothing is. */
  readonly logDamage: string | null
  private readonly descriptor: number
  private readonly logDescriptor: number | null
  private readonly log: LogState
  private readonly stored: StoredSums | null
  private isCompared = false

  constructor(file: string, usualPageSize: number) {
    this.descriptor = openSync(file, "r")
    this.stored = storedSums(`${file}${sumsSuffix}`)
    this.pageSize = this.stored?.header.pageSize ?? usualPageSize
    this.log = inspectLog(`${file}-wal`, this.pageSize)
    this.logDescriptor = this.log.frames > 0 ? openSync(`${file}-wal`, "r") : null
    const inFile = Math.ceil(fstatSync(this.descriptor).size / this.pageSize)
    this.count = this.log.frames > 0 ? this.log.pageCount : Math.max(inFile, this.stored?.header.pageCount ?? 0)
    this.logDamage = missingFrom(this.log, this.stored?.header.mark ?? null) ?? this.log.damage
  }

  /** Whether there are checksums to compare pages with, and they are of this state of the database. */
  get hasSums(): boolean {
    return this.isCompared
  }

  /** Compares all pages from now on, if the checksums are of the database that holds the token; null: it could not be found. */
  compare(token: Token | null): void {
    if (this.stored === null) return
    this.isCompared = token === null ? this.agreesMostly() : isOwn(token, this.stored.header.token, this.log.frames)
  }

  /** Null where the page is missing or not as it was written. */
  page(page: number): Uint8Array | null {
    const bytes = this.asItIs(page)
    return bytes === null || (this.isCompared && !this.isAsWritten(page, bytes)) ? null : bytes
  }

  /** The page with whatever has happened to it; null where it is missing. */
  asItIs(page: number): Uint8Array | null {
    if (page < 1 || page > this.count) return null
    const place = this.log.places.get(page)
    const bytes = new Uint8Array(this.pageSize)
    const read =
      place === undefined || this.logDescriptor === null
        ? readSync(this.descriptor, bytes, 0, this.pageSize, (page - 1) * this.pageSize)
        : readSync(this.logDescriptor, bytes, 0, this.pageSize, place)
    return read === this.pageSize ? bytes : null
  }

  /** Whether the file begins as every database does. */
  isDatabase(): boolean {
    const first = this.asItIs(1)
    return first !== null && Buffer.from(first.subarray(0, sqlite.length)).toString("latin1") === sqlite
  }

  close(): void {
    closeSync(this.descriptor)
    if (this.logDescriptor !== null) closeSync(this.logDescriptor)
  }

  private isAsWritten(page: number, bytes: Uint8Array): boolean {
    if (this.log.places.has(page)) return true
    const expected = this.sumOf(page)
    return expected === 0 || expected === pageSum(bytes, page)
  }

  private sumOf(page: number): number {
    const at = (page - 1) * 4
    return this.stored === null || at + 4 > this.stored.sums.byteLength ? 0 : this.stored.sums.getUint32(at, true)
  }

  private agreesMostly(): boolean {
    let [same, other] = [0, 0]
    for (let page = 1; page <= this.count; page++) {
      const bytes = this.asItIs(page)
      if (bytes === null || this.sumOf(page) === 0) continue
      if (this.isAsWritten(page, bytes)) same++
      else other++
    }
    return same > other
  }
}
