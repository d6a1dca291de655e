/** A series as charts draw it. */
export interface DrawnSeries {
  /** The same for the same metric and group, whatever its rank. */
  readonly key: string
  readonly name: string
  /** 0 to 7; null for what has no colour of its own. */
  readonly color: number | null
  readonly values: ReadonlyArray<number | null>
  readonly aggregate: number | null
  /** Values of the period before, where they are asked for and it has any. */
  readonly before: { readonly values: ReadonlyArray<number | null>; readonly aggregate: number | null } | null
  readonly isHidden: boolean
  /** Where the values probably lie; only lines draw it. */
  readonly band?: { readonly low: ReadonlyArray<number | null>; readonly high: ReadonlyArray<number | null> }
}
