import type { Catalogue } from "../../../../domain/analytics/markers/Catalogue.ts"
import type { ActiveHours } from "../format/ActiveDay.ts"
import type { KeyRun } from "../format/KeyRun.ts"
import type { EncodedSegment } from "../format/SegmentEncoder.ts"
import type { NewNumbers } from "../file/Dictionary.ts"
import type { Receipt } from "../file/ids/Receipts.ts"

/** What is stored of one environment beside its segments and marker ids when a part of the tail is sealed. */
export interface SealedEnvironment {
  readonly environmentId: number
  /** The sequence after the last one that is sealed. */
  readonly nextSequence: number
  readonly types: Catalogue["types"]
  readonly names: Catalogue["names"]
  readonly days: ActiveHours["days"]
  readonly receipts: ReadonlyArray<Receipt>
}

/** The oldest part of the tail, made ready to be stored: plain data, which may come from another thread. */
export interface SealedTail {
  /** Rows of the tail up to this id are in it. */
  readonly last: number
  readonly environments: ReadonlyArray<SealedEnvironment>
  readonly segments: ReadonlyArray<EncodedSegment>
  readonly runs: ReadonlyArray<KeyRun>
  readonly units: NewNumbers
  readonly sessions: NewNumbers
}

/** What takes the place of segments. */
export interface RewrittenSegments {
  readonly replaced: ReadonlyArray<number>
  readonly segments: ReadonlyArray<EncodedSegment>
}
