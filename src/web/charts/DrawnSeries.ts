/** A series as charts draw it. */
export interface DrawnSeries {
  /** The same for the same metric and group, whatever its rank. */
  readonly key: string
  readonly name: string
  /** 0 to 7 for a colour, 8 to 15 for the same drawn hollow; null for what has no look of its own. */
  readonly color: number | null
  readonly values: ReadonlyArray<number | null>
  readonly aggregate: number | null
  /** Values of the period before, where they are asked for and it has any. */
  readonly before: { readonly values: ReadonlyArray<number | null>; readonly aggregate: number | null } | null
  readonly isHidden: boolean
  /** Where the values probably lie; only lines draw it. */
  readonly band?: { readonly low: ReadonlyArray<number | null>; readonly high: ReadonlyArray<number | null> }
}

/** A series of values alone, always shown: there is neither a number of the whole period nor one before. */
export const plainSeries = (
  key: string,
  name: string,
  color: number,
  values: ReadonlyArray<number | null>
): DrawnSeries => ({ key, name, color, values, aggregate: null, before: null, isHidden: false })
