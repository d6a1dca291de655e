import { Clock, Effect, Either } from "effect"
import { FormulaInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { QueryResult } from "../../../schema/analytics/Executions.ts"
import type { QueryTime } from "../../../schema/analytics/QueryTime.ts"
import type { QueryDefinition } from "../../../schema/analytics/SavedQueries.ts"
import { planFunnel } from "../../domain/analytics/funnel/FunnelQuery.ts"
import { planHeatmapMarkers } from "../../domain/analytics/heatmap/HeatmapQuery.ts"
import { planInsight } from "../../domain/analytics/insight/InsightQuery.ts"
import { planRetention } from "../../domain/analytics/retention/RetentionQuery.ts"
import type { Asking } from "../../domain/analytics/time/TimeQuery.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Queries } from "./Queries.ts"
import { checked, queryFailure } from "./QueryFailure.ts"

interface Where {
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
}

const planned = ({ queryType, spec }: QueryDefinition, asking: Asking) => {
  switch (queryType) {
    case "insight":
      return Either.mapLeft(planInsight(spec, asking), ({ kind, message }) =>
        kind === "formula" ? new FormulaInvalid({ message }) : queryFailure({ kind, message })
      )
    case "funnel":
      return checked(planFunnel(spec, asking))
    case "retention":
      return checked(planRetention(spec, asking))
    case "heatmap":
      return checked(planHeatmapMarkers(spec, asking))
  }
}

/** Queries of any type, told apart by their definition. Asks for no permission: its callers and `Queries` do. */
export class QueryRuns extends Effect.Service<QueryRuns>()("services/analytics/QueryRuns", {
  effect: Effect.gen(function* () {
    const { weekStart } = yield* Settings
    const queries = yield* Queries

    /** Refuses what could not be asked now of a project with that time zone. */
    const check = Effect.fn("QueryRuns.check")(function* (definition: QueryDefinition, zone: string) {
      yield* planned(definition, { now: yield* Clock.currentTimeMillis, zone, weekStart })
    })

    /** Over the definition's own time, or over another one. */
    const run = Effect.fn("QueryRuns.run")(function* (where: Where, definition: QueryDefinition, other?: QueryTime) {
      const { queryType, spec } = definition
      const time = other ?? spec.time
      switch (queryType) {
        case "insight":
          return (yield* queries.insights(where, { ...spec, time })) satisfies QueryResult
        case "funnel":
          return (yield* queries.funnels(where, { ...spec, time })) satisfies QueryResult
        case "retention":
          return (yield* queries.retention(where, { ...spec, time })) satisfies QueryResult
        case "heatmap":
          return (yield* queries.heatmaps(where, { ...spec, time })) satisfies QueryResult
      }
    })

    return { check, run } as const
  })
}) {}
