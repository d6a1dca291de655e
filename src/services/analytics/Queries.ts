import { DateTime, Effect, Either } from "effect"
import { FormulaInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { FunnelQuery, FunnelResult } from "../../../schema/analytics/Funnels.ts"
import type { HeatmapQuery, HeatmapResult } from "../../../schema/analytics/HeatmapQueries.ts"
import type { InsightQuery, InsightResult } from "../../../schema/analytics/Insights.ts"
import type { QueryMeta } from "../../../schema/analytics/QueryAnswer.ts"
import type { RetentionQuery, RetentionResult } from "../../../schema/analytics/Retention.ts"
import { checkFunnelSize, planFunnel } from "../../domain/analytics/funnel/FunnelQuery.ts"
import { funnelSeries } from "../../domain/analytics/funnel/FunnelResult.ts"
import { heatmapPoints, pointColumns } from "../../domain/analytics/heatmap/HeatmapPoints.ts"
import { checkHeatmapSize, planHeatmap } from "../../domain/analytics/heatmap/HeatmapQuery.ts"
import { planComparison, planInsight } from "../../domain/analytics/insight/InsightQuery.ts"
import { insightSeriesSteps } from "../../domain/analytics/insight/InsightResult.ts"
import { united } from "../../domain/analytics/question/Question.ts"
import { checkRetentionSize, planRetention } from "../../domain/analytics/retention/RetentionQuery.ts"
import { retentionSeries } from "../../domain/analytics/retention/RetentionResult.ts"
import { bucketsOver, bucketStarts, planTime, timeTold } from "../../domain/analytics/time/TimeQuery.ts"
import { inTurns } from "../InTurns.ts"
import { QueryAccess } from "./QueryAccess.ts"
import type { CachedMeta } from "./QueryCache.ts"
import { checked, incompleteOf, queryFailure } from "./QueryFailure.ts"
import { References } from "./References.ts"
import type { Where } from "../Where.ts"

const metaOf = (now: number, ...answers: ReadonlyArray<CachedMeta>): QueryMeta => ({
  rowsScanned: answers.reduce((sum, { rowsScanned }) => sum + rowsScanned, 0),
  elapsedMs: answers.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
  asOf: DateTime.unsafeMake(now),
  sampled: false,
  cached: answers.every(({ cached }) => cached),
  ...incompleteOf(united(answers.map(({ incomplete }) => incomplete)))
})

const echo = ({ display }: { readonly display?: string | undefined }) => (display === undefined ? {} : { display })

/** Questions about the markers of one environment: normalized, planned, asked, formatted. */
export class Queries extends Effect.Service<Queries>()("services/analytics/Queries", {
  effect: Effect.gen(function* () {
    const references = yield* References
    const { open, heatmap } = yield* QueryAccess

    const insights = Effect.fnUntraced(function* (where: Where, query: InsightQuery) {
      const { environmentId, asking, ask, warn } = yield* open(where)
      const planned = yield* Either.mapLeft(planInsight(query, asking), ({ kind, message }) =>
        kind === "formula" ? new FormulaInvalid({ message }) : queryFailure({ kind, message })
      )
      const { answer, meta } = yield* ask({ kind: "insight", plan: planned.plan })
      yield* references.checkArguments(environmentId, planned.plan.metrics, answer)
      const comparison = yield* checked(planComparison(planned, answer))
      const before = comparison === null ? null : yield* ask({ kind: "insight", plan: comparison.plan })
      const earlier = comparison === null || before === null ? null : { ...comparison, answer: before.answer }
      return {
        time: timeTold(query.time, planned.time, asking),
        buckets: bucketStarts(planned.time),
        complete: bucketsOver(planned.time, asking.now),
        series: yield* checked(yield* inTurns(() => insightSeriesSteps(planned, answer, earlier))),
        ...echo(query.options),
        meta: {
          ...metaOf(asking.now, ...(before === null ? [meta] : [meta, before.meta])),
          ...(yield* warn(
            "insight",
            planned.plan,
            planned.plan.metrics.map(({ selector }) => selector)
          ))
        }
      } satisfies InsightResult
    })

    const funnels = Effect.fnUntraced(function* (where: Where, query: FunnelQuery) {
      const { asking, ask, warn } = yield* open(where)
      const plan = yield* checked(planFunnel(query, asking))
      const { answer, meta } = yield* ask({ kind: "funnel", plan })
      yield* checked(checkFunnelSize(plan, answer))
      const time = yield* checked(planTime(query.time, asking))
      return {
        time: timeTold(query.time, time, asking),
        series: funnelSeries(plan, query.steps, answer, asking.now),
        ...echo(query.options),
        meta: {
          ...metaOf(asking.now, meta),
          ...(yield* warn(
            "funnel",
            plan,
            [...plan.steps, ...plan.exclusions].map(({ selector }) => selector)
          ))
        }
      } satisfies FunnelResult
    })

    const retention = Effect.fnUntraced(function* (where: Where, query: RetentionQuery) {
      const { asking, ask, warn } = yield* open(where)
      const plan = yield* checked(planRetention(query, asking))
      const { answer, meta } = yield* ask({ kind: "retention", plan })
      yield* checked(checkRetentionSize(plan, answer))
      return {
        series: retentionSeries(plan, answer, asking.now),
        ...echo(query.options),
        meta: { ...metaOf(asking.now, meta), ...(yield* warn("retention", plan, [plan.start, plan.return])) }
      } satisfies RetentionResult
    })

    const heatmaps = Effect.fnUntraced(function* (where: Where, query: HeatmapQuery) {
      const { asking, ask, warn } = yield* open(where)
      const definition = yield* heatmap(where, query.heatmapData.id)
      const { display, points: form } = query.options
      const plan = yield* checked(planHeatmap(query, definition, asking))
      const { answer, meta } = yield* ask({ kind: "heatmap", plan })
      yield* checked(checkHeatmapSize(answer))
      const { points, cellWidth, cellHeight, statistics } = heatmapPoints(plan, answer, display ?? "density")
      return {
        points: form === "columns" ? pointColumns(points) : points,
        bounds: plan.bounds,
        resolution: { ...plan.resolution, cellWidth, cellHeight },
        statistics,
        ...echo(query.options),
        meta: { ...metaOf(asking.now, meta), ...(yield* warn("heatmap", plan, plan.selectors)) }
      } satisfies HeatmapResult
    })

    return { insights, funnels, retention, heatmaps } as const
  })
}) {}
