import { Clock, DateTime, Effect, Either, Option } from "effect"
import { FormulaInvalid, HeatmapNotFound } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { FunnelQuery, FunnelResult, FunnelUsersQuery } from "../../../schema/analytics/Funnels.ts"
import type { HeatmapQuery, HeatmapResult } from "../../../schema/analytics/HeatmapQueries.ts"
import type { InsightQuery, InsightResult } from "../../../schema/analytics/Insights.ts"
import type { FunnelUserPage } from "../../../schema/analytics/Queries.ts"
import type { QueryMeta } from "../../../schema/analytics/QueryAnswer.ts"
import type { RetentionQuery, RetentionResult } from "../../../schema/analytics/Retention.ts"
import { checkFunnelSize, planFunnel, planFunnelUnits } from "../../domain/analytics/funnel/FunnelQuery.ts"
import { funnelSeries, funnelUnitPage } from "../../domain/analytics/funnel/FunnelResult.ts"
import { heatmapPoints } from "../../domain/analytics/heatmap/HeatmapPoints.ts"
import { checkHeatmapSize, planHeatmap } from "../../domain/analytics/heatmap/HeatmapQuery.ts"
import { planComparison, planInsight } from "../../domain/analytics/insight/InsightQuery.ts"
import { insightSeries } from "../../domain/analytics/insight/InsightResult.ts"
import { NamedThings } from "../../domain/analytics/filter/Unseen.ts"
import type { Selector } from "../../domain/analytics/filter/Selector.ts"
import { type Answers, type QuestionOf, united } from "../../domain/analytics/question/Question.ts"
import { type ReferringKind, rewritten } from "../../domain/analytics/question/References.ts"
import { checkRetentionSize, planRetention } from "../../domain/analytics/retention/RetentionQuery.ts"
import { retentionSeries } from "../../domain/analytics/retention/RetentionResult.ts"
import { bucketsOver, bucketStarts, timeTold } from "../../domain/analytics/time/TimeQuery.ts"
import { HeatmapRepo } from "../../ports/analytics/HeatmapRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Policy } from "../access/Policy.ts"
import { type CachedKind, type CachedMeta, QueryCache } from "./QueryCache.ts"
import { answered, checked, incompleteOf, queryFailure, complete } from "./QueryFailure.ts"
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
    const { weekStart } = yield* Settings
    const policy = yield* Policy
    const cache = yield* QueryCache
    const references = yield* References
    const definitions = yield* HeatmapRepo

    const open = Effect.fnUntraced(function* ({ applicationId, environmentId }: Where) {
      const { application, environment } = yield* policy.environment("analytics:read", applicationId, environmentId)
      const asking = { now: yield* Clock.currentTimeMillis, zone: application.timezone, weekStart }
      const ask = <Kind extends CachedKind>(question: QuestionOf<Kind> & { readonly kind: Kind }) =>
        Effect.zipRight(
          references.check(environment.id, question.kind, question.plan),
          answered(cache.ask(environment.id, question, asking.now))
        )
      /** Warnings about names of a plan that were never seen, as a part of its answer's meta. */
      const warn = Effect.fnUntraced(function* <Kind extends ReferringKind>(
        kind: Kind,
        plan: Answers[Kind]["plan"],
        selectors: ReadonlyArray<Selector>
      ) {
        const named = new NamedThings()
        for (const type of selectors.flatMap(({ types }) => types)) named.types.add(type)
        rewritten[kind](plan, named)
        const warnings = yield* references.warnings(environment.id, named)
        return warnings.length === 0 ? {} : { warnings }
      })
      return { environmentId: environment.id, asking, ask, warn }
    })

    const insights = Effect.fn("Queries.insights")(function* (where: Where, query: InsightQuery) {
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
        series: yield* checked(insightSeries(planned, answer, earlier)),
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

    const funnels = Effect.fn("Queries.funnels")(function* (where: Where, query: FunnelQuery) {
      const { asking, ask, warn } = yield* open(where)
      const plan = yield* checked(planFunnel(query, asking))
      const { answer, meta } = yield* ask({ kind: "funnel", plan })
      yield* checked(checkFunnelSize(plan, answer))
      return {
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

    const funnelUsers = Effect.fn("Queries.funnelUsers")(function* (
      where: Where,
      query: FunnelUsersQuery,
      page: { readonly limit: number; readonly cursor?: string | undefined }
    ) {
      const { asking, ask } = yield* open(where)
      const { limit, cursor = null } = page
      const plan = yield* checked(planFunnelUnits(query, { after: cursor, limit: limit + 1 }, asking))
      const { answer } = yield* complete(ask({ kind: "funnelUnits", plan }))
      return funnelUnitPage(answer, limit) satisfies FunnelUserPage
    })

    const retention = Effect.fn("Queries.retention")(function* (where: Where, query: RetentionQuery) {
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

    const heatmaps = Effect.fn("Queries.heatmaps")(function* (where: Where, query: HeatmapQuery) {
      const { asking, ask, warn } = yield* open(where)
      const { id } = query.heatmapData
      const definition = yield* definitions.find(where.applicationId, id)
      if (Option.isNone(definition)) {
        return yield* Effect.fail(new HeatmapNotFound({ message: `Heatmap ${id} does not exist in this application` }))
      }
      const { display } = query.options
      const plan = yield* checked(planHeatmap(query, definition.value, asking))
      const { answer, meta } = yield* ask({ kind: "heatmap", plan })
      yield* checked(checkHeatmapSize(answer))
      const { points, cellWidth, cellHeight, statistics } = heatmapPoints(plan, answer, display ?? "density")
      return {
        points,
        bounds: plan.bounds,
        resolution: { ...plan.resolution, cellWidth, cellHeight },
        statistics,
        ...echo(query.options),
        meta: { ...metaOf(asking.now, meta), ...(yield* warn("heatmap", plan, plan.selectors)) }
      } satisfies HeatmapResult
    })

    return { insights, funnels, funnelUsers, retention, heatmaps } as const
  })
}) {}
