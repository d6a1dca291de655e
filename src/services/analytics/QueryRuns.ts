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
import { Settings } from "../../ports/operations/Settings.ts"
import type { Where } from "../Where.ts"
import { Queries } from "./Queries.ts"
import { checked, queryFailure } from "./QueryFailure.ts"

type Specs = { readonly [Definition in QueryDefinition as Definition["queryType"]]: Definition["spec"] }
type QueryType = keyof Specs

/** The definitions of one type, or of several. */
type Definition<Type extends QueryType> = {
  readonly [T in Type]: { readonly queryType: T; readonly spec: Specs[T] }
}[Type]

type Run = ReturnType<Queries["insights" | "funnels" | "retention" | "heatmaps"]>
type PlanFailure = FormulaInvalid | ReturnType<typeof queryFailure>

/** What a type of query needs to be saved and run. Here and in `Queries` stands all that is special about a type. */
interface QueryKind<Spec> {
  /** Refuses what could not be asked now. */
  readonly plan: (spec: Spec, asking: Asking) => Either.Either<unknown, PlanFailure>
  readonly run: (
    where: Where,
    spec: Spec
  ) => Effect.Effect<QueryResult, Effect.Effect.Error<Run>, Effect.Effect.Context<Run>>
}

const kindsOf = (queries: Queries): { readonly [Type in QueryType]: QueryKind<Specs[Type]> } => ({
  insight: {
    plan: (spec, asking) =>
      Either.mapLeft(planInsight(spec, asking), ({ kind, message }) =>
        kind === "formula" ? new FormulaInvalid({ message }) : queryFailure({ kind, message })
      ),
    run: queries.insights
  },
  funnel: { plan: (spec, asking) => checked(planFunnel(spec, asking)), run: queries.funnels },
  retention: { plan: (spec, asking) => checked(planRetention(spec, asking)), run: queries.retention },
  heatmap: { plan: (spec, asking) => checked(planHeatmapMarkers(spec, asking)), run: queries.heatmaps }
})

/** Queries of any type, told apart by their definition. Asks for no permission: its callers and `Queries` do. */
export class QueryRuns extends Effect.Service<QueryRuns>()("services/analytics/QueryRuns", {
  effect: Effect.gen(function* () {
    const { weekStart } = yield* Settings
    const kinds = kindsOf(yield* Queries)

    const planned = <Type extends QueryType>({ queryType, spec }: Definition<Type>, asking: Asking) =>
      kinds[queryType].plan(spec, asking)

    const runOver = <Type extends QueryType>(where: Where, { queryType, spec }: Definition<Type>, time: QueryTime) =>
      kinds[queryType].run(where, { ...spec, time })

    /** Refuses what could not be asked now of a project with that time zone. */
    const check = Effect.fnUntraced(function* (definition: QueryDefinition, zone: string) {
      yield* planned(definition, { now: yield* Clock.currentTimeMillis, zone, weekStart })
    })

    /** Over the definition's own time, or over another one. */
    const run = (where: Where, definition: QueryDefinition, other?: QueryTime) =>
      runOver(where, definition, other ?? definition.spec.time)

    return { check, run } as const
  })
}) {}
