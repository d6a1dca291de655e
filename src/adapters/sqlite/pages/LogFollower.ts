import type Database from "better-sqlite3"
import { closeSync, openSync, readSync } from "node:fs"
import { frameHeaderBytes, logHeaderBytes, type Salts } from "./WriteAheadLog.ts"
import { pageSum } from "./PageSums.ts"

/** Frames that are read at once. */
const framesAtOnce = 64

/** Reads what a connection commits to its write-ahead log, and remembers the checksum of each page. */
export class LogFollower {
  private readonly file: string
  private readonly count
  private readonly frame: number
  private readonly buffer: Uint8Array
  private descriptor: number | null = null
  private salts: Salts = [0, 0]
  private frames = 0
  /** The least number of pages that the database has had since `forget`: what lay behind them was cut off. */
  kept = Infinity
  /** Checksums of the versions of pages that have come since then, by page. */
  readonly fresh = new Map<number, number>()
  /** Pages of the database after the last transaction. */
  pageCount: number

  /** `pageCount`: pages of the database when its log was empty. */
  constructor(db: Database.Database, file: string, pageSize: number, pageCount: number) {
    this.file = file
    this.pageCount = pageCount
    this.count = db.prepare<[], { log: number; checkpointed: number }>("pragma wal_checkpoint(noop)")
    this.frame = frameHeaderBytes + pageSize
    this.buffer = new Uint8Array(this.frame * framesAtOnce)
  }

  /** Where the log ends; null when it is empty. */
  get mark(): { readonly salts: Salts; readonly frames: number } | null {
    return this.frames === 0 ? null : { salts: this.salts, frames: this.frames }
  }

  /** Reads what is new in the log. Answers whether there was anything. */
  follow(): boolean {
    const frames = this.count.get()?.log ?? -1
    if (frames <= 0) return this.restart(this.salts)
    this.descriptor ??= openSync(this.file, "r")
    const header = new DataView(new ArrayBuffer(logHeaderBytes))
    readSync(this.descriptor, header, 0, logHeaderBytes, 0)
    const salts: Salts = [header.getUint32(16), header.getUint32(20)]
    if (salts[0] !== this.salts[0] || salts[1] !== this.salts[1]) this.restart(salts)
    if (frames === this.frames) return false
    while (this.frames < frames) this.read(this.descriptor, Math.min(framesAtOnce, frames - this.frames))
    return true
  }

  /** Call it when the checksums have been stored. */
  forget(): void {
    this.kept = Infinity
    this.fresh.clear()
  }

  close(): void {
    if (this.descriptor !== null) closeSync(this.descriptor)
    this.descriptor = null
  }

  private restart(salts: Salts): boolean {
    const wasEmpty = this.frames === 0
    this.salts = salts
    this.frames = 0
    return !wasEmpty
  }

  private read(descriptor: number, count: number): void {
    const bytes = this.buffer.subarray(0, count * this.frame)
    readSync(descriptor, bytes, 0, bytes.length, logHeaderBytes + this.frames * this.frame)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at < bytes.length; at += this.frame) {
      const page = view.getUint32(at)
      const pageCount = view.getUint32(at + 4)
      this.fresh.set(page, pageSum(bytes.subarray(at + frameHeaderBytes, at + this.frame), page))
      if (pageCount === 0) continue
      this.pageCount = pageCount
      this.kept = Math.min(this.kept, pageCount)
    }
    this.frames += count
  }
}
