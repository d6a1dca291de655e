import { Effect, Either, Option } from "effect"
import type { ExperimentMetric } from "../../../schema/experiments/ExperimentMetric.ts"
import type { Asking } from "../../domain/analytics/time/TimeQuery.ts"
import type { ApplicationId, QueryId } from "../../domain/Ids.ts"
import { planGoalQuery, planMetric } from "../../domain/experiments/results/MetricPlan.ts"
import type { PlannedMetric } from "../../domain/experiments/results/ScorecardPlan.ts"
import { SavedQueryRepo } from "../../ports/analytics/SavedQueryRepo.ts"
import { decodeDefinition } from "../analytics/SavedQueries.ts"

/** What the store is asked for, or why nothing can be. */
type Plan = Either.Either<PlannedMetric, string>

/** Metrics of experiments as questions to the store. Asks for no permission: its callers do. */
export class MetricPlans extends Effect.Service<MetricPlans>()("services/experiments/MetricPlans", {
  effect: Effect.gen(function* () {
    const queries = yield* SavedQueryRepo

    const ofQuery = Effect.fnUntraced(function* (applicationId: ApplicationId, id: QueryId, asking: Asking) {
      const saved = yield* queries.find(applicationId, id)
      if (Option.isNone(saved)) return Either.left(`there is no query ${id} in this application`)
      const definition = yield* decodeDefinition(saved.value.definition)
      return definition.queryType === "funnel" || definition.queryType === "retention"
        ? Either.mapLeft(planGoalQuery(definition, asking), ({ message }) => message)
        : Either.left("a query that is a metric is a funnel or a retention")
    })

    const plan = (applicationId: ApplicationId, request: ExperimentMetric, asking: Asking): Effect.Effect<Plan> =>
      request.type === "funnel"
        ? ofQuery(applicationId, request.queryId, asking)
        : Effect.succeed(Either.mapLeft(planMetric(request), ({ message }) => message))

    return { plan } as const
  })
}) {}
