export type Step = "hour" | "day" | "week" | "month"

/** [from, to) in epoch milliseconds. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Neighbouring calendar periods of a zone: bucket i is [boundaries[i], boundaries[i + 1]), so there is one boundary more than buckets. */
export interface Buckets {
  readonly step: Step
  /** IANA name. */
  readonly zone: string
  /** Epoch milliseconds, strictly ascending. */
  readonly boundaries: ReadonlyArray<number>
}
