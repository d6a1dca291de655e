import type { Db } from "../file/Db.ts"
import { Dictionary } from "../file/Dictionary.ts"
import { type MergeableRuns, mergedRun } from "../file/RunMerging.ts"
import { Segments } from "../file/Segments.ts"
import type { KeyRun } from "../format/KeyRun.ts"
import type { RewrittenSegments, SealedTail } from "./SealedTail.ts"
import { SealPreparation } from "./SealPreparation.ts"
import { type OnDamagedSegment, SegmentRewriter } from "./SegmentRewriter.ts"

/** Makes ready what sealing and compaction store: nearly all of their work, none of which writes to the file. */
export interface Preparation {
  /** The oldest part of the tail, null where it is empty. Settle it before the next one. */
  seal(): Generator<void, SealedTail | null>
  /** Tells whether what `seal` made ready is stored. */
  settle(isStored: boolean): void
  /** Call it when others have stored numbers of units or sessions, or changed their names. */
  reread(): void
  /** One group of small segments as larger ones, null where there is none. */
  merge(): Generator<void, RewrittenSegments | null>
  /** Several runs of marker ids as one. */
  mergeRuns(runs: MergeableRuns): Generator<void, KeyRun>
  /** Whether another thread works on what a generator waits for, so that going on with the generator before `onAnswer` is of no use. */
  readonly isElsewhere: boolean
}

/** Makes it ready in this thread: the generators yield every few milliseconds. */
export class OwnPreparation implements Preparation {
  readonly isElsewhere = false
  readonly units: Dictionary
  readonly sessions: Dictionary
  readonly rewriter: SegmentRewriter
  private readonly db: Db
  private readonly sealing: SealPreparation

  /** Types with fewer than `ownRows` rows share a segment. The connection may be one that only reads. */
  constructor(db: Db, ownRows: number, onDamaged: OnDamagedSegment) {
    this.db = db
    this.units = new Dictionary(db, "unit")
    this.sessions = new Dictionary(db, "session")
    this.sealing = new SealPreparation(db, this.units, this.sessions, ownRows)
    this.rewriter = new SegmentRewriter(new Segments(db), ownRows, onDamaged)
  }

  seal(): Generator<void, SealedTail | null> {
    return this.sealing.prepare()
  }

  settle(isStored: boolean): void {
    this.sealing.settle(isStored)
  }

  reread(): void {
    this.sealing.settle(false)
  }

  merge(): Generator<void, RewrittenSegments | null> {
    return this.rewriter.merge()
  }

  mergeRuns(runs: MergeableRuns): Generator<void, KeyRun> {
    return mergedRun(this.db, runs)
  }
}
