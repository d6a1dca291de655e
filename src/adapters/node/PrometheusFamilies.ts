import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from "prom-client"
import type { HistogramPoint, MetricFamily } from "../../domain/operations/telemetry/MetricFamily.ts"

type Told = MetricObjectWithValues<MetricValue<string>>
type Value = MetricValue<string> & Partial<Pick<MetricValueWithName<string>, "metricName">>

const labelsOf = ({ labels }: Value): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) =>
      name === "le" || value === undefined ? [] : [[name, `${value}`]]
    )
  )

/** What prom-client counts below each bound is counted between two of them; the last bound is infinity. */
const between = (below: ReadonlyArray<Value>): Pick<HistogramPoint, "bounds" | "counts"> => ({
  bounds: below.slice(0, -1).map(({ labels }) => Number(labels["le"])),
  counts: below.map(({ value }, index) => value - (below[index - 1]?.value ?? 0))
})

const histogramPoints = (name: string, values: ReadonlyArray<Value>): ReadonlyArray<HistogramPoint> => {
  const byLabels = new Map<string, Array<Value>>()
  for (const value of values) {
    const key = JSON.stringify(labelsOf(value))
    const known = byLabels.get(key)
    if (known === undefined) byLabels.set(key, [value])
    else known.push(value)
  }
  return [...byLabels.values()].flatMap((all) => {
    const [first] = all
    const sum = all.find(({ metricName }) => metricName === `${name}_sum`)
    if (first === undefined || sum === undefined) return []
    return [{ labels: labelsOf(first), sum: sum.value, ...between(all.filter(({ labels }) => "le" in labels)) }]
  })
}

const familyOf = ({ name, help, type, values }: Told): MetricFamily => {
  // The types of prom-client tell of numbers where it holds these texts.
  const kind = String(type)
  if (kind === "histogram") return { name, help, kind, points: histogramPoints(name, values) }
  const points = values.map((value) => ({ labels: labelsOf(value), value: value.value }))
  return { name, help, kind: kind === "counter" ? kind : "gauge", points }
}

/** What prom-client has counted, as values. */
export const familiesIn = (told: ReadonlyArray<Told>): ReadonlyArray<MetricFamily> => told.map(familyOf)
