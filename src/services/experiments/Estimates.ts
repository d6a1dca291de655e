import { Clock, DateTime, Effect, Either } from "effect"
import { ReferenceInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { EstimateExperiment, ExperimentEstimate } from "../../../schema/experiments/Estimate.ts"
import { ExperimentInvalid } from "../../../schema/experiments/ExperimentErrors.ts"
import { planFilter } from "../../domain/analytics/filter/FilterRequest.ts"
import { estimateOf, planEstimate } from "../../domain/experiments/results/EstimatePlan.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Policy } from "../access/Policy.ts"
import { QueryCache } from "../analytics/QueryCache.ts"
import { answered, complete } from "../analytics/QueryFailure.ts"
import { References } from "../analytics/References.ts"
import type { ApplicationWhere } from "../Where.ts"
import { MetricPlans } from "./MetricPlans.ts"
import { shapeOf } from "./ResultsView.ts"

const invalid = (message: string) => new ExperimentInvalid({ message })

/** What an experiment would measure if it had been there already: values of metrics now, and how many players come. */
export class Estimates extends Effect.Service<Estimates>()("services/experiments/Estimates", {
  effect: Effect.gen(function* () {
    const { weekStart } = yield* Settings
    const cache = yield* QueryCache
    const plans = yield* MetricPlans
    const policy = yield* Policy
    const references = yield* References

    const of = Effect.fnUntraced(function* (
      { applicationId, environmentId }: ApplicationWhere,
      { metrics, days, ...filters }: EstimateExperiment
    ) {
      const { application, environment } = yield* policy.environment("experiments:read", applicationId, environmentId)
      const now = yield* Clock.currentTimeMillis
      const asking = { now, zone: application.timezone, weekStart }
      const planned = yield* Effect.forEach(metrics, (metric) =>
        Effect.flatMap(plans.plan(applicationId, metric, asking), (plan) =>
          Either.mapLeft(plan, (message) => invalid(`metric ${metric.id}: ${message}`))
        )
      )
      const entry = yield* Either.mapLeft(planFilter(filters, ""), ({ kind, message }) =>
        kind === "reference" ? new ReferenceInvalid({ message }) : invalid(message)
      )
      const plan = yield* Either.mapLeft(planEstimate({ metrics: planned, entry, days, ...asking }), ({ message }) =>
        invalid(message)
      )
      yield* references.check(environment.id, "scorecard", plan)
      const { answer } = yield* complete(answered(cache.ask(environment.id, { kind: "scorecard", plan }, now)))
      const estimate = estimateOf(plan, answer, metrics.map(shapeOf))
      return {
        asOf: DateTime.unsafeMake(now),
        units: estimate.units,
        unitsByDay: estimate.unitsByDay,
        metrics: metrics.map(({ id }, place) => ({
          id,
          ...(estimate.metrics[place] ?? { n: 0, mean: null, variance: null })
        }))
      } satisfies ExperimentEstimate
    })

    return { of } as const
  })
}) {}
