import type { MaintenancePlan, RetiredReport } from "../write/Maintenance.ts"
import type { TypeNames } from "../../../../domain/ingest/NamesByType.ts"
import type { RetentionLimit } from "../../../../domain/analytics/markers/RetentionRule.ts"
import type { KnownErasure } from "../../../../domain/operations/Reconciliation.ts"
import type { StoredBatch, UnreadBatch } from "../../../../domain/ingest/UnreadBatch.ts"
import type { AnswerMeta, Incomplete } from "../../../../domain/analytics/question/Question.ts"
import type { StoreProblem } from "../../../../domain/operations/StoreProblem.ts"
import type { MemberChange, StoreQuestion } from "../cohorts/CohortQuestion.ts"
import type { ErasureRecord, PartnerNote } from "../file/FileRecords.ts"
import type { AppendOutcome } from "../write/Writer.ts"
import type { WriterOptions } from "../write/WriterOptions.ts"

export interface ReaderOptions {
  /** Most bytes that cached decoded columns may occupy in one reader thread. */
  readonly cacheBytes: number
  /** Whether a thread compiles at its start what questions need; by default it does not. */
  readonly warmUp?: boolean
}

/** What the writer's thread is started with. */
export interface WriterStart {
  readonly file: string
  /** The id of the metadata's file, with which this one then belongs together; without it there is no partner. */
  readonly partner?: string | null
  /** The path of the bundled sealer; without one the writer seals in its own thread. */
  readonly sealer?: string
  readonly options: WriterOptions
}

export interface ReaderStart {
  readonly file: string
  readonly options: ReaderOptions
}

export type WriterMessage =
  | {
      readonly type: "append"
      readonly id: number
      readonly environmentId: number
      readonly frame: Uint8Array<ArrayBuffer>
    }
  /** The body of a request, which the writer reads. */
  | { readonly type: "receive"; readonly id: number; readonly environmentId: number; readonly unread: UnreadBatch }
  | { readonly type: "names"; readonly id: number; readonly environmentId: number }
  | WriterJob
  /** To try to empty the write-ahead log, while nobody reads. */
  | { readonly type: "emptyLog"; readonly id: number }
  | { readonly type: "probe"; readonly id: number }
  | { readonly type: "close"; readonly id: number }

/** Work that may take long: the writer does it in slices, between commits. */
export type WriterJob =
  | { readonly type: "seal"; readonly id: number }
  | { readonly type: "maintain"; readonly id: number; readonly plan: MaintenancePlan }
  | {
      readonly type: "erase"
      readonly id: number
      readonly environmentId: number
      readonly unitId: string
      readonly record: ErasureRecord | null
    }
  | { readonly type: "note"; readonly id: number; readonly note: PartnerNote }
  | { readonly type: "noteErasures"; readonly id: number; readonly erasures: ReadonlyArray<KnownErasure> }
  | { readonly type: "drop"; readonly id: number; readonly environmentIds: ReadonlyArray<number> }
  | {
      readonly type: "swapMembers"
      readonly id: number
      readonly environmentId: number
      readonly change: MemberChange
    }
  | { readonly type: "removeMembers"; readonly id: number; readonly environmentId: number; readonly cohortId: number }

/** Stale: what the job was computed from has changed in the meantime, so nothing was done. */
export type JobOutcome = "Done" | "Stale" | "StorageFull" | "StorageLost"

export type HighestSequences = ReadonlyArray<readonly [environmentId: number, sequence: number]>

/** What the writer says of the file that it has opened. */
export interface OpenedFile {
  readonly highestSequences: HighestSequences
  /** The file's id; null without a partner. */
  readonly id: string | null
}

/** A body that the writer has read, on disk. */
export interface Received extends StoredBatch {
  readonly firstSequence: number
}

/** What became of a body: null says that nothing of it was stored, and the body comes back. */
export interface ReceivedBody {
  readonly id: number
  readonly received: Received | null
  readonly left: Uint8Array<ArrayBuffer> | null
}

export type WriterReply =
  | { readonly type: "ready"; readonly opened: OpenedFile }
  | { readonly type: "appended"; readonly id: number; readonly outcome: AppendOutcome }
  /** One message for all that share a commit. */
  | { readonly type: "received"; readonly bodies: ReadonlyArray<ReceivedBody> }
  | { readonly type: "names"; readonly id: number; readonly names: ReadonlyArray<TypeNames> }
  | { readonly type: "done"; readonly id: number; readonly outcome: JobOutcome }
  | { readonly type: "probed"; readonly id: number; readonly problems: ReadonlyArray<StoreProblem> }
  | { readonly type: "retired"; readonly report: RetiredReport }
  | {
      readonly type: "unsealed"
      /** Why a sealing, which no request had asked for, failed. */ readonly message: string
    }
  /** Readers keep the write-ahead log from being emptied: they should rest for it, and where it is urgent stop what they do. */
  | { readonly type: "logHeld"; readonly isUrgent: boolean }
  /** Comes before the end of an erasure that could not read everything. */
  | { readonly type: "unreached"; readonly id: number; readonly unreached: Incomplete }
  | {
      readonly type: "damaged"
      /** What is damaged, where work can go on. */ readonly message: string
    }
  | {
      readonly type: "failed"
      /** Null when the thread itself failed. */ readonly id: number | null
      readonly message: string
    }

export type ReaderMessage =
  | {
      readonly type: "ask"
      readonly id: number
      readonly environmentId: number
      readonly question: StoreQuestion
      /** What is past it is in no answer; without one nothing is. */
      readonly limit?: RetentionLimit
      readonly control: SharedArrayBuffer
    }
  | { readonly type: "close" }

/**
 * A reader's reply. The sender computes an `Answer`; the receiver trusts the type without a check, since both sides are
 * one build.
 */
export type ReaderReply<Answer> =
  | { readonly type: "ready" }
  | { readonly type: "answer"; readonly id: number; readonly answer: Answer; readonly meta: AnswerMeta }
  | { readonly type: "cancelled"; readonly id: number }
  /** `isExhausted`: the thread has died of the question, which needed more memory than it may have. */
  | {
      readonly type: "failed"
      readonly id: number | null
      readonly message: string
      readonly isExhausted?: boolean
    }
