import type { TypeNames } from "../../../../domain/ingest/NamesByType.ts"
import type { Incomplete } from "../../../../domain/analytics/question/Question.ts"
import { Compactor } from "./Compactor.ts"
import type { Db } from "../file/Db.ts"
import type { MemberChange } from "../cohorts/CohortQuestion.ts"
import { isStorageFull } from "../file/EventsDb.ts"
import { FileSpace } from "../file/FileSpace.ts"
import { type ErasureRecord, FileRecords } from "../file/FileRecords.ts"
import { KeyRuns } from "../file/KeyRuns.ts"
import { MemberWriter } from "./MemberWriter.ts"
import { namesOf } from "./NamesOf.ts"
import { OwnPreparation, type Preparation } from "./Preparation.ts"
import { Sealer } from "./Sealer.ts"
import { Removal } from "./Removal.ts"
import { Segments } from "../file/Segments.ts"
import type { MaintenancePlan, RetiredReport } from "./Maintenance.ts"
import { UnitErasure } from "./UnitErasure.ts"
import type { WriterOptions } from "./WriterOptions.ts"
import { type AppendRequest, WriterTail } from "./WriterTail.ts"
import { StoredActivity } from "../file/StoredActivity.ts"
import { StoredCatalogue } from "../file/StoredCatalogue.ts"
import { WriteProbe } from "../file/WriteProbe.ts"
import { encodeTailBatch } from "../format/TailBatch.ts"
import { dayMillis } from "../../../../domain/Durations.ts"
import { type LogKeeper, unguarded } from "../../pages/LogKeeper.ts"

export type AppendOutcome =
  | { readonly _tag: "Stored"; readonly firstSequence: number; readonly duplicates: ReadonlyArray<number> }
  | { readonly _tag: "StorageFull" }
  /** The file was deleted or moved while it is open, so that nothing stored in it would be found again. */
  | { readonly _tag: "StorageLost" }

export interface ErasedUnit {
  readonly unitId: string
  readonly record: ErasureRecord | null
}

/**
 * Owns the write connection. The requests of one `commit` share one transaction, which is on disk when the call
 * returns.
 */
export class Writer {
  readonly members: MemberWriter
  readonly records: FileRecords
  readonly probe: WriteProbe
  private readonly db: Db
  readonly options: WriterOptions
  private readonly runs: KeyRuns
  private summarizing: Generator<void, boolean> | null = null
  private readonly segments: Segments
  private readonly sealer: Sealer
  private readonly catalogue: StoredCatalogue
  private readonly compactor: Compactor
  private readonly erasing: UnitErasure
  private readonly removal: Removal
  private readonly space: FileSpace
  private readonly own: OwnPreparation
  private readonly tail: WriterTail
  private readonly insertTail
  private readonly tailData
  readonly log: LogKeeper
  readonly preparation: Preparation

  /** `onDamaged` is called with each segment that cannot be rewritten. `elsewhere` has sealing and compaction made ready by another thread. */
  constructor(
    db: Db,
    options: WriterOptions,
    log: LogKeeper = unguarded(db),
    onDamaged: (message: string) => void = () => undefined,
    elsewhere: (own: OwnPreparation) => Preparation = (own) => own
  ) {
    this.db = db
    this.options = options
    this.records = new FileRecords(db)
    this.log = log
    this.runs = new KeyRuns(db)
    this.segments = new Segments(db)
    this.own = new OwnPreparation(db, options.ownSegmentRows, (_, message) => onDamaged(message))
    this.preparation = elsewhere(this.own)
    const { units, sessions, rewriter } = this.own
    const [activity, catalogue] = [new StoredActivity(db), new StoredCatalogue(db)]
    this.catalogue = catalogue
    this.sealer = new Sealer(db, { segments: this.segments, runs: this.runs, units, sessions, catalogue, activity })
    this.members = new MemberWriter(db, units)
    this.compactor = new Compactor(db, this.segments, activity, catalogue, rewriter)
    this.erasing = new UnitErasure(db, this.own, this.compactor, this.members, activity, () =>
      this.preparation.reread()
    )
    this.removal = new Removal(db, this.segments, this.runs)
    this.space = new FileSpace(db)
    this.probe = new WriteProbe(db)
    this.insertTail = db.prepare<[number, Uint8Array]>("insert into tail (events, data) values (?, ?)")
    this.tailData = db.prepare<[], { data: Uint8Array }>("select data from tail order by id")
    this.tail = new WriterTail(db, this.runs, options.dedupeDays)
  }

  /** How many markers wait to be sealed. */
  get tailEvents(): number {
    return this.tail.events
  }

  commit(requests: ReadonlyArray<AppendRequest>): ReadonlyArray<AppendOutcome> {
    try {
      const parts = requests.map((request) => this.tail.part(request))
      // A part without any new event is left out of the tail: its first sequence would be that of the next part too.
      const fresh = parts.filter(({ part, count }) => count > part.skipped.length)
      const events = fresh.reduce((sum, { part, count }) => sum + count - part.skipped.length, 0)
      if (events > 0) this.insertTail.run(events, encodeTailBatch(fresh.map(({ part }) => part)))
      this.tail.events += events
      this.log.note()
      return parts.map(({ part }) => ({ _tag: "Stored", firstSequence: part.firstSequence, duplicates: part.skipped }))
    } catch (cause) {
      // Also where a marker id could not be looked up: those before it would count as stored otherwise.
      this.tail.distrust()
      if (!isStorageFull(cause)) throw cause
      return requests.map(() => ({ _tag: "StorageFull" }))
    }
  }

  /** A few milliseconds' work on the summaries of key runs, where there is any. To be done after a commit, which is what it makes faster. */
  summarize(): void {
    this.summarizing ??= this.runs.summarize()
    if (this.summarizing.next().done === true) this.summarizing = null
  }

  /** For each environment that has events, the highest sequence assigned so far. */
  highestSequences(): ReadonlyArray<readonly [environmentId: number, sequence: number]> {
    return [...this.tail.nextSequence].map(([environmentId, next]) => [environmentId, next - 1])
  }

  /** The marker types of an environment and the names that they have had, in what is sealed and in the tail. */
  names(environmentId: number): ReadonlyArray<TypeNames> {
    return namesOf(environmentId, this.catalogue, this.tailData.iterate())
  }

  /** Seals the oldest part of the tail, about one segment's worth. Answers whether there was any. */
  *seal(): Generator<void, boolean> {
    const sealed = yield* this.preparation.seal()
    if (sealed === null) return false
    let isStored = false
    try {
      this.sealer.store(sealed)
      isStored = true
    } finally {
      if (!isStored) this.runs.distrust()
      this.preparation.settle(isStored)
    }
    this.tail.noteSealed()
    return true
  }

  /** Seals what is in the tail now, and not what comes meanwhile: a busy server would never come to the end of that. */
  *sealPresent(): Generator<void, void> {
    const newest = this.tail.commits?.newest ?? 0
    while ((this.tail.commits?.oldest ?? Infinity) <= newest && (yield* this.seal())) yield
  }

  /** Merges small segments, then small key runs, until nothing is left to merge. */
  *compact(): Generator<void, void> {
    while (yield* this.compactSome()) yield
  }

  /** Merges one group of small segments, or of key runs where no segments are left to merge. Answers whether there was one. */
  *compactSome(): Generator<void, boolean> {
    const rewritten = yield* this.preparation.merge()
    if (rewritten !== null) {
      this.compactor.replace(rewritten)
      return true
    }
    const runs = this.runs.mergeable()
    if (runs === null) return false
    this.runs.replace(runs, yield* this.preparation.mergeRuns(runs))
    return true
  }

  /**
   * Seals the tail, drops marker ids past the dedupe window and segments past retention, compacts, and returns free
   * pages to the disk. Answers what was deleted for its age.
   */
  *maintain({ now, retention }: MaintenancePlan): Generator<void, RetiredReport> {
    yield* this.sealPresent()
    const oldestDay = Math.floor(now / dayMillis) - this.options.dedupeDays
    const markerIds = this.db.transaction(() => this.runs.drop(oldestDay))()
    yield
    const markers = new Map<number, number>()
    for (const { environmentId, ...limit } of retention) {
      const removed = yield* this.compactor.retire(environmentId, limit)
      if (removed > 0) markers.set(environmentId, removed)
    }
    yield* this.compact()
    yield* this.space.vacuum()
    // The log still holds what was removed until it is written over. A reader in the middle of a question may prevent emptying it.
    if (markers.size > 0) this.log.empty()
    return { markers, markerIds }
  }

  /**
   * Removes every marker of units, their cohort stays, names and sessions, so that no page of the file holds them; its log may
   * until it is emptied. Records are written first, so that an older copy of either file can be told of the erasures. Answers for each which
   * markers could not be read, so that some of them may be its unit's. Sixty units in one pass cost little more than one: it reads and writes
   * whole segments and days.
   */
  *erase(environmentId: number, erased: ReadonlyArray<ErasedUnit>): Generator<void, ReadonlyArray<Incomplete | null>> {
    this.records.erased(erased.flatMap(({ record }) => (record === null ? [] : { environmentId, ...record })))
    yield* this.sealPresent()
    const lacking = yield* this.erasing.erase(
      environmentId,
      erased.map(({ unitId }) => unitId)
    )
    yield* this.space.vacuum()
    return lacking
  }

  /** Replaces members of a cohort: see `MemberWriter.swap`. */
  *swapMembers(environmentId: number, change: MemberChange): Generator<void, boolean> {
    try {
      return yield* this.members.swap(environmentId, change)
    } finally {
      this.preparation.reread()
    }
  }

  /** Removes everything stored for the given environments. */
  *drop(environmentIds: ReadonlyArray<number>): Generator<void, void> {
    yield* this.sealPresent()
    for (const environmentId of environmentIds) yield* this.removal.remove(environmentId)
    this.preparation.reread()
    this.tail.load()
    yield* this.space.vacuum()
  }

  /**
   * Moves the log into the file, so that a copy of the file alone is whole. Without it the last connection to close would have to, and a
   * reader's cannot.
   */
  close(): void {
    if (!this.db.open) return
    this.log.finish(this.db)
    this.log.close()
  }
}
