import { Clock, DateTime, Effect, Either, Option } from "effect"
import type { ExperimentMetric } from "../../../schema/experiments/ExperimentMetric.ts"
import { TimeRangeInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import { MetricNotFound } from "../../../schema/experiments/ExperimentErrors.ts"
import type { ResultsQuery, Scorecard } from "../../../schema/experiments/Scorecard.ts"
import { ReferenceList, rewrittenMetric } from "../../domain/analytics/question/References.ts"
import type { Asking } from "../../domain/analytics/time/TimeQuery.ts"
import { settle } from "../../domain/experiments/Settlement.ts"
import type { ApplicationId, EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import { report } from "../../domain/experiments/results/Report.ts"
import type { PlannedMetric } from "../../domain/experiments/results/ScorecardPlan.ts"
import { planScorecard, type ScorecardRequest } from "../../domain/experiments/results/ScorecardRequest.ts"
import type { Trial } from "../../domain/experiments/results/Trial.ts"
import { flat, moderate } from "../../domain/experiments/statistics/Bayesian.ts"
import { ExperimentDraftRepo } from "../../ports/experiments/ExperimentDraftRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { MetricPlans } from "./MetricPlans.ts"
import { missingExperiment } from "./MissingExperiment.ts"
import { Policy } from "../access/Policy.ts"
import { QueryCache } from "../analytics/QueryCache.ts"
import { References } from "../analytics/References.ts"
import { answered, complete } from "../analytics/QueryFailure.ts"
import { namedMetrics, type NamedMetric, type ShownMetric, shapeOf, viewOf } from "./ResultsView.ts"
import { type ExperimentForResults, ExperimentsForResults } from "./ExperimentsForResults.ts"
import type { ApplicationWhere } from "../Where.ts"

interface Place {
  readonly environmentId: EnvironmentId
  readonly experimentId: ExperimentId
}

interface ExperimentWhere extends ApplicationWhere {
  readonly experimentId: ExperimentId
}

const epoch = (instant: DateTime.Utc | undefined): number | null =>
  instant === undefined ? null : DateTime.toEpochMillis(instant)

/** Metrics beside what the store is asked for those that can be asked for. */
const placed = (metrics: ReadonlyArray<NamedMetric & { readonly planned: Option.Option<PlannedMetric> }>) => {
  const plans: Array<PlannedMetric> = []
  const shown = metrics.map(({ request, role, planned }): ShownMetric => {
    const place = Option.isSome(planned) ? plans.push(planned.value) - 1 : null
    return { request, role, place, shape: shapeOf(request), direction: request.direction }
  })
  return { plans, shown }
}

/** When it ended (epoch ms); null before. */
const endOf = ({ status, endsAt, terminatedAt }: ExperimentForResults["progress"]): number | null =>
  terminatedAt ?? (status === "completed" ? endsAt : null)

const requestOf = (
  { id, unitType, groups, progress }: ExperimentForResults,
  metrics: ReadonlyArray<PlannedMetric>,
  { from, to, multipleExposure }: ResultsQuery,
  asking: Asking
): ScorecardRequest => ({
  experimentId: id,
  unitType,
  groupIds: groups.map((group) => group.id),
  startsAt: progress.startsAt,
  phases: progress.phases.map((phase) => phase.from),
  metrics,
  multipleExposure,
  from: epoch(from),
  to: epoch(to),
  endedAt: endOf(progress),
  ...asking
})

const trialOf = (
  { groups, progress }: ExperimentForResults,
  metrics: ReadonlyArray<ShownMetric>,
  until: number
): Trial<ShownMetric> => {
  const { phases, endsAt, terminatedAt } = progress
  return {
    control: Math.max(
      0,
      groups.findIndex(({ isControl }) => isControl)
    ),
    weights: phases.length === 0 ? [progress.groups.map(({ weight }) => weight)] : phases.map(({ weights }) => weights),
    dropped: progress.groups.map(({ isDropped }) => isDropped),
    until: Math.min(until, endOf(progress) ?? until),
    isPlannedEnd: terminatedAt === null && endsAt !== null && until >= endsAt,
    metrics
  }
}

/** What experiments have shown: markers are added up in the store once, and judged again whenever somebody asks. */
export class Results extends Effect.Service<Results>()("services/experiments/Results", {
  effect: Effect.gen(function* () {
    const { weekStart } = yield* Settings
    const cache = yield* QueryCache
    const policy = yield* Policy
    const plans = yield* MetricPlans
    const references = yield* References
    const drafts = yield* ExperimentDraftRepo
    const trials = yield* ExperimentsForResults

    /** The metric, unless it names a cohort that has been deleted since: to the store that would be one without members. */
    const present = Effect.fnUntraced(function* (environmentId: EnvironmentId, planned: PlannedMetric) {
      const list = new ReferenceList()
      rewrittenMetric(planned, list.collecting)
      return yield* Effect.option(Effect.as(references.demand(environmentId, list), planned))
    })

    const metricsOf = (
      { applicationId, environmentId }: Place & { readonly applicationId: ApplicationId },
      { metrics }: ExperimentForResults,
      asking: Asking
    ) =>
      Effect.map(
        Effect.forEach(namedMetrics(metrics), (each) =>
          Effect.gen(function* () {
            const plan = yield* plans.plan(applicationId, each.request, asking)
            const planned = Either.isLeft(plan) ? Option.none() : yield* present(environmentId, plan.right)
            return { ...each, planned }
          })
        ),
        placed
      )

    const found = Effect.fnUntraced(function* (
      { experimentId, environmentId }: Place,
      { metric }: ResultsQuery,
      now: number
    ) {
      const record = yield* trials.find(environmentId, experimentId)
      if (Option.isNone(record)) {
        return yield* missingExperiment(drafts, environmentId, experimentId)
      }
      if (metric !== undefined && !namedMetrics(record.value.metrics).some(({ request }) => request.id === metric)) {
        return yield* Effect.fail(new MetricNotFound({ message: `Experiment ${experimentId} has no metric ${metric}` }))
      }
      return { ...record.value, progress: settle(record.value.progress, now).progress }
    })

    /** The scorecard of all metrics, or of one: corrections are over all of them either way. */
    const of = Effect.fnUntraced(function* (where: ExperimentWhere, query: ResultsQuery) {
      const { applicationId, experimentId } = where
      const { application, environment } = yield* policy.environment(
        "experiments:read",
        applicationId,
        where.environmentId
      )
      const asking = { now: yield* Clock.currentTimeMillis, zone: application.timezone, weekStart }
      const place = { applicationId, environmentId: environment.id, experimentId }
      const record = yield* found(place, query, asking.now)
      const { plans, shown } = yield* metricsOf(place, record, asking)
      const plan = yield* Either.mapLeft(
        planScorecard(requestOf(record, plans, query, asking)),
        ({ message }) => new TimeRangeInvalid({ message })
      )
      const { answer } = yield* complete(answered(cache.ask(environment.id, { kind: "scorecard", plan }, asking.now)))
      const trial = trialOf(record, shown, Math.min(asking.now, plan.range.to))
      const judging = { correction: query.correction, prior: query.prior === "flat" ? flat : moderate }
      const isShown = ({ id }: ExperimentMetric) => query.metric === undefined || id === query.metric
      return {
        experimentId,
        status: record.progress.status,
        asOf: DateTime.unsafeMake(asking.now),
        ...viewOf(report(plan, answer, trial, judging), record, asking.now, isShown)
      } satisfies Scorecard
    })

    return { of } as const
  })
}) {}
