/** What became of the records so far. The four counts of markers are disjoint. */
export interface ImportSummary {
  /** Lines or rows read. */
  readonly records: number
  /** Records that the mapping makes no marker of. */
  readonly leftOut: number
  readonly imported: number
  /** Imported ones whose instant lay in the future and became that of the import. */
  readonly clamped: number
  readonly duplicates: number
  readonly stale: number
  readonly rejected: number
  /** Why markers were rejected, and how many for each reason. */
  readonly reasons: Readonly<Record<string, number>>
}

export const emptySummary: ImportSummary = {
  records: 0,
  leftOut: 0,
  imported: 0,
  clamped: 0,
  duplicates: 0,
  stale: 0,
  rejected: 0,
  reasons: {}
}
