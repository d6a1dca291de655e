import type Database from "better-sqlite3"
import { closeSync, openSync, rmSync } from "node:fs"
import { bringOver, emptyLog, versionOf } from "./Checkpoint.ts"
import { closeUntouched } from "./ClosedLog.ts"
import { freshSums } from "./FreshSums.ts"
import { LogFollower } from "./LogFollower.ts"
import { isWithin, type LogMark, missingFrom } from "./LogMark.ts"
import { DamagedFile, damagedPages, described, pageSizeIn } from "./PageCheck.ts"
import type { PageGuardOptions } from "./PageGuardOptions.ts"
import { PageSums, type SumsHeader, sumsSuffix } from "./PageSums.ts"
import { isOwn } from "./Token.ts"
import { TokenTable } from "./TokenTable.ts"
import { inspectLog, type LogState } from "./WriteAheadLog.ts"

/** What follows a database once it is in use. */
interface Following {
  readonly db: Database.Database
  readonly tokens: TokenTable
  readonly follower: LogFollower
  readonly sums: PageSums
}

/**
 * Keeps a checksum of every page of a database in WAL mode, in a file beside it, and notes how far its write-ahead log reaches. So a
 * changed byte, a page at the place of another, an old version of a page, and a log that lost its end are seen when the database is
 * opened. Every checkpoint must go through the guard.
 */
export class PageGuard {
  private readonly file: string
  private readonly options: PageGuardOptions
  /** Stays open as long as the database: closing it would drop SQLite's locks, which the system keeps by process and file. */
  private readonly descriptor: number
  private readonly log: LogState
  private stored: ReturnType<typeof PageSums.read>
  private following: Following | null = null
  private header: SumsHeader | null = null
  private isSealed = false
  /** Where the log ended when it was last to be brought into the file; 0 where all of it was. */
  private lastCheckpoint = 0
  /** The version of the database whose checksums were stored last. */
  private storedVersion = 0

  /** Call it before SQLite opens the file, because SQLite may cut its log short. Throws `DamagedFile`. */
  constructor(file: string, options: PageGuardOptions) {
    this.file = file
    this.options = options
    this.descriptor = openSync(file, "a+", 0o600)
    this.stored = PageSums.read(this.sumsFile)
    this.log = inspectLog(`${file}-wal`, pageSizeIn(this.descriptor))
    const { damage } = this.log
    const missing = this.stored === null ? null : (missingFrom(this.log, this.stored.header.mark) ?? damage)
    const told = `The log ${file}-wal is damaged:`
    if (missing !== null) this.refuse(`${told} ${missing}. Writes that were acknowledged are lost`)
    if (damage !== null) options.onDamage(`${told} ${damage}. What was written after it is lost`)
  }

  /** Compares every page with its checksum. Call it once the database is open, before anything is written. Throws `DamagedFile`. */
  verify(db: Database.Database): void {
    db.pragma("wal_autocheckpoint = 0")
    if (this.stored === null) return
    const { header, sums } = this.stored
    const token = TokenTable.of(db)?.read()
    if (token === null) this.refuse(`${this.file} is damaged: its table page_token cannot be read`)
    // A copy that was put in the place of the database has another token.
    if (token === undefined || !isOwn(token, header.token, this.log.frames)) {
      this.options.onDamage(
        `${this.file} was replaced, as by a restored backup: its checksums are made anew from what it holds`
      )
      this.stored = null
      return
    }
    const { log } = this
    const count = log.frames > 0 ? Math.min(header.pageCount, log.pageCount) : header.pageCount
    const damaged = damagedPages(this.descriptor, header.pageSize, count, sums, log.pages)
    if (damaged.length === 0) return
    const { named, isBearable } = described(db, damaged, this.options.selfChecking)
    const what = `${this.file} is damaged, or something else has changed it: ${named}`
    if (!isBearable) this.refuse(what)
    this.options.onDamage(`${what}. What they held is left out of answers, which say so`)
  }

  /** Begins to follow the database. Call it when its tables are up to date. */
  start(db: Database.Database): void {
    const tokens = TokenTable.of(db)
    if (tokens === null) return
    const pageSize = Number(db.pragma("page_size", { simple: true }))
    const begun = this.stored ?? freshSums(this.sumsFile, this.descriptor, tokens, pageSize)
    this.header = begun.header
    const follower = new LogFollower(db, `${this.file}-wal`, pageSize, begun.header.pageCount)
    this.following = { db, tokens, follower, sums: begun.sums }
    follower.follow()
    if (this.stored === null) this.seal()
    this.reopen()
  }

  /** Reads what has been committed since; answers where the log ends now. */
  follow(): LogMark {
    if (this.following?.follower.follow() === true) this.isSealed = false
    return this.mark
  }

  /**
   * Notes how far the log reaches, and brings it into the database file when it is long. Call it after each commit. Where commits reach the
   * disk later, call `follow` after each of them, and this with what it answered once that commit is on disk.
   */
  note(reached: LogMark = this.follow()): void {
    if (this.isNoted(reached)) return
    this.writeMark(reached)
    const frames = reached?.frames ?? 0
    const { onLongLog, longLogFrames = 1000 } = this.options
    if (frames < this.lastCheckpoint + longLogFrames) return
    if (onLongLog === undefined) return this.checkpoint()
    this.lastCheckpoint = frames
    onLongLog()
  }

  /** Whether a mark tells nothing new: the log is known to reach beyond it, or has been emptied and begun anew since. */
  isNoted(mark: LogMark): boolean {
    return !isWithin(mark, this.mark) || isWithin(mark, this.header?.mark ?? null)
  }

  /** Where the log ends; null when it is empty. */
  get mark(): LogMark {
    return this.following?.follower.mark ?? null
  }

  /**
   * Stores the checksums of all that the log holds and calls `pin`, which has to keep checkpoints from going beyond its present end: as
   * long as it does, another thread may bring the log into the file. Answers false where that has to wait.
   */
  hold(pin: () => void): boolean {
    try {
      if (!this.store()) return false
      pin()
      this.store()
    } catch {
      return false
    }
    this.reopen()
    return true
  }

  /** Brings the log, or what another thread has left of it, into the database file. */
  checkpoint(): void {
    const isComplete = this.seal()
    this.reopen()
    this.lastCheckpoint = isComplete ? 0 : (this.mark?.frames ?? 0)
  }

  /** Empties the log. Answers false at once while somebody reads the database; call it again then. */
  empty(): boolean {
    if (!this.seal()) return false
    const isEmpty = this.truncate(false)
    if (isEmpty) this.reopen()
    return isEmpty
  }

  /** Closes the last connection, which empties the log. Before `start` it leaves the log as it is. */
  finish(db: Database.Database): void {
    if (this.following === null) return closeUntouched(db, this.file)
    this.seal()
    if (this.isSealed) this.truncate(true)
    else rmSync(this.sumsFile, { force: true })
    db.close()
  }

  /** Call it when all connections are closed. */
  close(): void {
    this.following?.follower.close()
    this.following?.sums.close()
    this.following = null
    closeSync(this.descriptor)
  }

  private get sumsFile(): string {
    return `${this.file}${sumsSuffix}`
  }

  /**
   * Stores the checksums of what the log holds, then brings the log into the database file. Answers whether all of it is there. A full
   * disk, or another transaction that is under way, leaves everything to the next call.
   */
  private seal(): boolean {
    try {
      if (!this.store()) return false
      const isComplete = this.following !== null && bringOver(this.following.db)
      // Another process may have committed in between: what of that is in the file now needs its checksums as well.
      this.store()
      return isComplete
    } catch {
      return false
    }
  }

  /** Stores the checksums of what the log holds. */
  private store(): boolean {
    const { following, header } = this
    if (following === null || header === null) return false
    const { db, tokens, follower, sums } = following
    if (!follower.follow() && this.isSealed) return true
    const token = { ...header.token, count: header.token.count + 2 }
    tokens.write(token)
    this.storedVersion = versionOf(db)
    follower.follow()
    const { kept, fresh } = follower
    sums.store(kept, follower.pageCount, fresh)
    this.header = { ...header, pageCount: follower.pageCount, token, mark: follower.mark }
    sums.writeHeader(this.header)
    sums.sync()
    follower.forget()
    this.isSealed = true
    return true
  }

  /** From here on, a copy of the database differs from what the checksums describe. */
  private reopen(): void {
    const { following, header } = this
    if (following === null || header === null) return
    try {
      following.tokens.write({ ...header.token, count: header.token.count + 1 })
    } catch {
      return
    }
    following.follower.follow()
    this.isSealed = false
    this.writeMark()
  }

  private truncate(waits: boolean): boolean {
    const { following } = this
    if (following === null) return false
    this.writeMark(null)
    following.sums.sync()
    const isEmpty = emptyLog(following.db, waits)
    following.follower.follow()
    // What another process has committed since is in the file without checksums: the next start makes all of them anew.
    if (versionOf(following.db) !== this.storedVersion) rmSync(this.sumsFile, { force: true })
    return isEmpty
  }

  private writeMark(mark = this.mark): void {
    if (this.header !== null) this.following?.sums.writeHeader((this.header = { ...this.header, mark }))
  }

  private refuse(what: string): never {
    throw new DamagedFile(
      `${what}. Restore a backup of the whole folder; or let gamekeeper repair make a new folder of what can still be read; or, to start with the damage as it is, delete ${this.sumsFile}`
    )
  }
}
