import type { HistogramPoint, MetricFamily, MetricPoint } from "../../domain/operations/telemetry/MetricFamily.ts"
import { attributesOf, type Resource, scope } from "./Encoding.ts"

/** How things were at an instant. Times are in nanoseconds since 1970. */
export interface MetricMoment {
  readonly families: ReadonlyArray<MetricFamily>
  readonly epochNanos: bigint
}

/** Counted since the start of the process. */
const cumulative = 2

/** Units as UCUM writes them. Where a name says none, none is told: what is written for none would change the name in Prometheus. */
const unitOf = (name: string): { readonly unit?: string } => {
  if (/_seconds(_total)?$/.test(name)) return { unit: "s" }
  return name.endsWith("_bytes") ? { unit: "By" } : {}
}

interface Times {
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
}

const numberPoint =
  (times: Times) =>
  ({ labels, value }: MetricPoint) => ({ attributes: attributesOf(Object.entries(labels)), ...times, asDouble: value })

const histogramPoint =
  (times: Times) =>
  ({ labels, bounds, counts, sum }: HistogramPoint) => ({
    attributes: attributesOf(Object.entries(labels)),
    ...times,
    count: String(counts.reduce((all, each) => all + each, 0)),
    sum,
    bucketCounts: counts.map(String),
    explicitBounds: bounds
  })

/** JSON has no numbers for what is not known. */
const isTellable = ({ value }: MetricPoint): boolean => Number.isFinite(value)

const metricOf = (family: MetricFamily, times: Times) => {
  const described = { name: family.name, description: family.help, ...unitOf(family.name) }
  if (family.kind === "histogram") {
    const dataPoints = family.points.map(histogramPoint(times))
    return { ...described, histogram: { aggregationTemporality: cumulative, dataPoints } }
  }
  const dataPoints = family.points.filter(isTellable).map(numberPoint(times))
  if (family.kind === "gauge") return { ...described, gauge: { dataPoints } }
  return { ...described, sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } }
}

/** Metrics as OTLP asks for them, counted from `since` on. */
export const encodeMetrics = (resource: Resource, since: bigint, moments: ReadonlyArray<MetricMoment>) => ({
  resourceMetrics: moments.map(({ families, epochNanos }) => {
    const times = { startTimeUnixNano: String(since), timeUnixNano: String(epochNanos) }
    const metrics = families.filter(({ points }) => points.length > 0).map((family) => metricOf(family, times))
    return { resource, scopeMetrics: [{ scope, metrics }] }
  })
})
