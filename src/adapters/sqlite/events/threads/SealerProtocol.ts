import type { MergeableRuns } from "../file/RunMerging.ts"
import type { KeyRun } from "../format/KeyRun.ts"
import type { RewrittenSegments, SealedTail } from "../write/SealedTail.ts"

/** What the sealer's thread is started with. */
export interface SealerStart {
  readonly file: string
  /** Types with fewer rows share a segment. */
  readonly ownSegmentRows: number
}

/** What the writer asks the sealer for, one at a time. */
export type SealerRequest =
  /** `keepsNumbers`: what was sealed last is stored, and nobody else has changed numbers since. */
  | { readonly type: "seal"; readonly keepsNumbers: boolean }
  | { readonly type: "merge" }
  | { readonly type: "mergeRuns"; readonly runs: MergeableRuns }

export type SealerReply =
  | { readonly type: "sealed"; readonly sealed: SealedTail | null }
  | { readonly type: "merged"; readonly merged: RewrittenSegments | null }
  | { readonly type: "mergedRuns"; readonly run: KeyRun }
  /** A segment that cannot be read; the reply to the request follows. */
  | { readonly type: "damaged"; readonly id: number; readonly message: string }
  | { readonly type: "failed"; readonly message: string }
