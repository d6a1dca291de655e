import type { RetentionLimit } from "../../../../domain/analytics/markers/RetentionRule.ts"

/** What a maintenance run needs to know. */
export interface MaintenancePlan {
  /** Epoch ms. */
  readonly now: number
  /** What is past these limits is dropped: see `Compactor.retire`. */
  readonly retention: ReadonlyArray<RetentionLimit & { readonly environmentId: number }>
}

/** What a maintenance run has deleted for its age. */
export interface RetiredReport {
  /** Markers by environment, where there were any. */
  readonly markers: ReadonlyMap<number, number>
  /** Ids past the dedupe window. */
  readonly markerIds: number
}
