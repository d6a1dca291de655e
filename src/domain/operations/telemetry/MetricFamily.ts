type Labels = Readonly<Record<string, string>>

/** One value of a metric. */
export interface MetricPoint {
  readonly labels: Labels
  readonly value: number
}

/** What a histogram has counted: `bounds` ascend, and `counts` has one more, of what lies above the last. */
export interface HistogramPoint {
  readonly labels: Labels
  readonly bounds: ReadonlyArray<number>
  readonly counts: ReadonlyArray<number>
  readonly sum: number
}

interface Described {
  readonly name: string
  readonly help: string
}

/** Everything that was counted under one name since the process started. */
export type MetricFamily =
  | (Described & { readonly kind: "counter" | "gauge"; readonly points: ReadonlyArray<MetricPoint> })
  | (Described & { readonly kind: "histogram"; readonly points: ReadonlyArray<HistogramPoint> })
