import type { Experiment } from "./ExperimentWords.ts"

type Metric = Experiment["metrics"]["goals"][number]

const markerWords = (marker: string | ReadonlyArray<string>): string =>
  typeof marker === "string" ? marker : marker.join(" or ")

const withinWords = (days: number | undefined): string =>
  days === undefined ? "" : ` within ${days} ${days === 1 ? "day" : "days"}`

const measured = (metric: Metric): string => {
  switch (metric.type) {
    case "proportion":
      return `players with ${markerWords(metric.marker)}${withinWords(metric.withinDays)}`
    case "mean":
      return metric.aggregation === "sum"
        ? `sum of ${metric.argument ?? "…"} of ${markerWords(metric.marker)} per player${withinWords(metric.withinDays)}`
        : `${markerWords(metric.marker)} per player${withinWords(metric.withinDays)}`
    case "ratio":
      return `${metric.argument ?? markerWords(metric.marker)} per ${markerWords(metric.denominator.marker)}${withinWords(metric.withinDays)}`
    case "retention":
      return `players with ${markerWords(metric.marker)} on day ${metric.day}`
    case "funnel":
      return `players who finish saved question ${metric.queryId}`
  }
}

/** What a metric measures and which way is better. */
export const metricWords = (metric: Metric): string =>
  `${measured(metric)}; ${metric.direction === "increase" ? "higher" : "lower"} is better`
