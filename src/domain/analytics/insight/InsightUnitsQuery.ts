import { DateTime, Either } from "effect"
import { chosenGroup, type GroupRequest } from "../filter/ChosenGroup.ts"
import { type Checked, type ProblemKind, problem } from "../question/QueryProblem.ts"
import type { UnitPaging } from "../question/UnitList.ts"
import { type Buckets, countOf } from "../time/Buckets.ts"
import type { Asking } from "../time/TimeQuery.ts"
import { type InsightQuery, planInsight } from "./InsightQuery.ts"
import type { InsightUnitsPlan } from "./InsightUnits.ts"

/** Names one number of an insight. */
export interface InsightSelection {
  readonly metricId: string
  /** The start of a bucket; null for the aggregate. */
  readonly bucket: DateTime.Utc | null
  readonly breakdown: GroupRequest
}

export interface InsightUnitsQuery extends InsightQuery {
  readonly select: InsightSelection
}

const metricOf = ({ metrics, select: { metricId } }: InsightUnitsQuery): Checked<number> => {
  const counted = metrics.filter(({ data }) => data.type !== "formula")
  const found = counted.findIndex(({ id }) => id === metricId)
  if (found >= 0) return Either.right(found)
  const choices = counted.map(({ id }) => id).join(", ")
  return metrics.some(({ id }) => id === metricId)
    ? problem("invalid", `select.metricId: ${metricId} is a formula, which counts no players; choose one of ${choices}`)
    : problem("invalid", `select.metricId: there is no metric ${metricId}; choose one of ${choices}`)
}

const bucketOf = ({ options, select: { bucket } }: InsightUnitsQuery, buckets: Buckets): Checked<number | null> => {
  if (bucket === null) return Either.right(null)
  if (options.movingAverage !== undefined)
    return problem("invalid", "select.bucket: a moving average counts the players of several buckets; leave it out")
  const found = buckets.boundaries.indexOf(DateTime.toEpochMillis(bucket))
  return found >= 0 && found < countOf(buckets)
    ? Either.right(found)
    : problem("invalid", `select.bucket: no bucket of the query begins at ${DateTime.formatIso(bucket)}`)
}

/** Plans one page of the units behind a number of an insight, or tells why it cannot be asked. */
export const planInsightUnits = (
  query: InsightUnitsQuery,
  page: UnitPaging & { readonly values: boolean },
  asking: Asking
): Checked<InsightUnitsPlan, ProblemKind | "formula"> =>
  Either.gen(function* () {
    const { plan } = yield* planInsight(query, asking)
    return {
      insight: plan,
      metric: yield* metricOf(query),
      bucket: yield* bucketOf(query, plan.buckets),
      group: yield* chosenGroup(plan.breakdowns, query.select.breakdown),
      ...page
    }
  })
