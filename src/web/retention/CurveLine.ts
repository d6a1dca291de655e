export interface CurveLine {
  readonly key: string
  readonly name: string
  /** 0 to 7; null for the average of all rows. */
  readonly color: number | null
  /** Percent of each interval; null where it is not over. */
  readonly rates: ReadonlyArray<number | null>
}
