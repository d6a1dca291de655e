/** What a maintenance run has deleted for its age. */
export interface RetiredReport {
  /** Markers by environment, where there were any. */
  readonly markers: ReadonlyMap<number, number>
  /** Ids past the dedupe window. */
  readonly markerIds: number
}
