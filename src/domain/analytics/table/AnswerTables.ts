import { DateTime } from "effect"
import type { Scalar } from "../markers/Event.ts"
import { type TableColumn, columnsOf, type TableRow, type Table } from "./Table.ts"

interface Broken {
  readonly breakdown: ReadonlyArray<{ readonly name: string; readonly value: Scalar | null }>
}

interface Points {
  readonly values: ReadonlyArray<number | null>
}

interface Insight {
  readonly buckets: ReadonlyArray<DateTime.Utc>
  readonly complete: ReadonlyArray<boolean>
  readonly series: ReadonlyArray<Broken & Points & { readonly metricId: string; readonly compare?: Points | undefined }>
}

interface Funnel {
  readonly series: ReadonlyArray<
    Broken & {
      readonly steps: ReadonlyArray<{
        readonly id: string
        readonly name: string | ReadonlyArray<string>
        readonly count: number
        readonly conversionFromPrevious: number
        readonly conversionFromFirst: number
        readonly averageSeconds: number | null
        readonly medianSeconds: number | null
      }>
    }
  >
}

interface Returned {
  readonly interval: number
  readonly count: number
  readonly rate: number
  readonly complete: boolean
}

interface Retention {
  readonly series: ReadonlyArray<
    Broken & {
      readonly cohorts: ReadonlyArray<{
        readonly start: DateTime.Utc
        readonly size: number
        readonly values: ReadonlyArray<Returned>
      }>
    }
  >
}

type HeatmapPoints =
  | ReadonlyArray<{ readonly x: number; readonly y: number; readonly value: number }>
  | { readonly x: ReadonlyArray<number>; readonly y: ReadonlyArray<number>; readonly value: ReadonlyArray<number> }

/** A column for each breakdown; those of all series of an answer are the same. An argument and a property may have one name. */
const groupColumns = ([first]: ReadonlyArray<Broken>): ReadonlyArray<TableColumn> => {
  const names = (first?.breakdown ?? []).map(({ name }) => `breakdown.${name}`)
  return names.map((name, at) => ({ name: names.indexOf(name) < at ? `${name}.${at + 1}` : name, kind: "text" }))
}

const groupCells = ({ breakdown }: Broken): TableRow =>
  breakdown.map(({ value }) => (value === null ? null : String(value)))

/** A row for each bucket of each series. */
export const tableOfInsight = ({ buckets, complete, series }: Insight): Table => {
  const isCompared = series.some(({ compare }) => compare !== undefined)
  return {
    columns: [
      ...columnsOf({ metric: "text" }),
      ...groupColumns(series),
      ...columnsOf({ bucket: "instant", complete: "boolean", value: "number" }),
      ...(isCompared ? columnsOf({ previousValue: "number" }) : [])
    ],
    rows: series.flatMap((one) =>
      one.values.map((value, at) => {
        const bucket = buckets[at]
        return [
          one.metricId,
          ...groupCells(one),
          bucket === undefined ? null : DateTime.toEpochMillis(bucket),
          complete[at] ?? null,
          value,
          ...(isCompared ? [one.compare?.values[at] ?? null] : [])
        ]
      })
    )
  }
}

/** A row for each step of each series; conversions are in percent. */
export const tableOfFunnel = ({ series }: Funnel): Table => ({
  columns: [
    ...groupColumns(series),
    ...columnsOf({
      step: "integer",
      id: "text",
      marker: "text",
      count: "integer",
      conversionFromPrevious: "number",
      conversionFromFirst: "number",
      averageSeconds: "number",
      medianSeconds: "number"
    })
  ],
  rows: series.flatMap((one) =>
    one.steps.map((step, at) => [
      ...groupCells(one),
      at + 1,
      step.id,
      [step.name].flat().join(", "),
      step.count,
      step.conversionFromPrevious,
      step.conversionFromFirst,
      step.averageSeconds,
      step.medianSeconds
    ])
  )
})

/** A row for each interval of each period that units started in; the rate is in percent. */
export const tableOfRetention = ({ series }: Retention): Table => ({
  columns: [
    ...groupColumns(series),
    ...columnsOf({
      start: "instant",
      size: "integer",
      interval: "integer",
      count: "integer",
      rate: "number",
      complete: "boolean"
    })
  ],
  rows: series.flatMap((one) =>
    one.cohorts.flatMap(({ start, size, values }) =>
      values.map(({ interval, count, rate, complete }) => [
        ...groupCells(one),
        DateTime.toEpochMillis(start),
        size,
        interval,
        count,
        rate,
        complete
      ])
    )
  )
})

/** A row for each cell: its centre in world X and world Z, and its value. */
export const tableOfHeatmap = ({ points }: { readonly points: HeatmapPoints }): Table => ({
  columns: columnsOf({ x: "number", y: "number", value: "number" }),
  rows:
    "x" in points
      ? points.x.map((x, at) => [x, points.y[at] ?? null, points.value[at] ?? null])
      : points.map(({ x, y, value }) => [x, y, value])
})
