import { countText } from "../text/Numbers.ts"
import type { Experiment } from "./ExperimentWords.ts"

type Metric = Experiment["metrics"]["goals"][number]

interface Counted {
  readonly marker: string | ReadonlyArray<string>
  readonly filters?: ReadonlyArray<unknown>
}

const markerWords = ({ marker, filters = [] }: Counted): string => {
  const words = typeof marker === "string" ? marker : marker.join(" or ")
  return filters.length === 0 ? words : `${words} (${countText(filters.length, "condition")})`
}

/** How many the markers are, or with an argument its sum. */
const amountWords = (counted: Counted, argument: string | undefined): string =>
  argument === undefined ? markerWords(counted) : `${argument} of ${markerWords(counted)}`

const withinWords = (days: number | undefined): string =>
  days === undefined ? "" : ` within ${days} ${days === 1 ? "day" : "days"}`

const measured = (metric: Metric, unit: string): string => {
  switch (metric.type) {
    case "proportion":
      return `${unit}s with ${markerWords(metric)}${withinWords(metric.withinDays)}`
    case "mean":
      return metric.aggregation === "sum"
        ? `sum of ${amountWords(metric, metric.argument ?? "…")} per ${unit}${withinWords(metric.withinDays)}`
        : `${markerWords(metric)} per ${unit}${withinWords(metric.withinDays)}`
    case "ratio": {
      const { denominator } = metric
      const above = amountWords(metric, metric.aggregation === "sum" ? metric.argument : undefined)
      return `${above} per ${amountWords(denominator, denominator.argument)}${withinWords(metric.withinDays)}`
    }
    case "retention":
      return `${unit}s with ${markerWords(metric)} on day ${metric.day}`
    case "funnel":
      return `${unit}s ${unit === "player" ? "who" : "that"} finish saved question ${metric.queryId}`
  }
}

/** What a metric measures of each player or game server, and which way is better. */
export const unitMetricWords = (unit: string, metric: Metric): string =>
  `${measured(metric, unit)}; ${metric.direction === "increase" ? "higher" : "lower"} is better`

/** The same of players. */
export const metricWords = (metric: Metric): string => unitMetricWords("player", metric)
