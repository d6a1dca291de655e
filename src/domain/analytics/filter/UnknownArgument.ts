import type { InsightAnswer, Metric } from "../insight/InsightPlan.ts"
import type { ArgumentMetadata } from "../markers/MarkerMetadata.ts"
import type { SeenName, SeenType } from "../question/Question.ts"

type Measuring = Metric & { readonly measure: Metric["measure"] & { readonly argument: string } }

const measures = (metric: Metric): metric is Measuring => "argument" in metric.measure

/** The metrics that measure an argument and found no value of it. */
export const metricsWithoutValue = (
  { metrics }: InsightAnswer,
  asked: ReadonlyArray<Metric>
): ReadonlyArray<Measuring> =>
  asked.filter(
    (metric, index): metric is Measuring =>
      measures(metric) && (metrics[index] ?? []).every(({ aggregate }) => aggregate === null || aggregate === 0)
  )

/**
 * The first metric whose argument was never seen on its types and is described by nobody. A metric whose types were
 * never seen is accepted: nothing can be known about its arguments yet.
 */
export const withUnknownArgument = (
  metrics: ReadonlyArray<Measuring>,
  types: ReadonlyArray<SeenType>,
  names: ReadonlyArray<SeenName>,
  described: ReadonlyArray<ArgumentMetadata>
): Measuring | undefined => {
  const seen = new Set(types.map(({ name }) => name))
  return metrics.find(({ selector, measure: { argument } }) => {
    const own = new Set(selector.types)
    return (
      selector.types.some((type) => seen.has(type)) &&
      !names.some((known) => known.name === argument && known.types.some((type) => own.has(type))) &&
      !described.some(({ type, name }) => name === argument && own.has(type))
    )
  })
}
