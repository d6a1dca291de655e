import { Effect, Either } from "effect"
import { FormulaInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { FunnelNext, FunnelUsersQuery } from "../../../schema/analytics/Funnels.ts"
import type { HeatmapArguments } from "../../../schema/analytics/HeatmapQueries.ts"
import type { FunnelUserPage } from "../../../schema/analytics/Queries.ts"
import type {
  HeatmapUsersQuery,
  InsightUsersQuery,
  NumberOfQuery,
  QueryUserPage,
  RetentionUsersQuery
} from "../../../schema/analytics/QueryUsers.ts"
import { planFunnelUnits } from "../../domain/analytics/funnel/FunnelQuery.ts"
import { funnelUnitPage } from "../../domain/analytics/funnel/FunnelResult.ts"
import { planHeatmap } from "../../domain/analytics/heatmap/HeatmapQuery.ts"
import { planInsightUnits } from "../../domain/analytics/insight/InsightUnitsQuery.ts"
import { type UnitPaging, unitListPage } from "../../domain/analytics/question/UnitList.ts"
import { planRetentionUnits } from "../../domain/analytics/retention/RetentionUnitsQuery.ts"
import type { Where } from "../Where.ts"
import { QueryAccess } from "./QueryAccess.ts"
import { checked, complete, queryFailure } from "./QueryFailure.ts"

interface Paging {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Asks for one unit more than the page has, which tells whether another page follows. */
const pageOf = ({ limit, cursor }: Paging): UnitPaging => ({ after: cursor ?? null, limit: limit + 1 })

/** Types that are told of what units did next. */
const mostTypes = 20

/** Arguments that are told of an area, and values of each. */
const [mostArguments, mostValues] = [4, 4]

const first = (limit: number): UnitPaging => ({ after: null, limit })

/** The units behind the numbers of queries. They are found with the plan and the data of the number itself, never with a part of them. */
export class QueryUsers extends Effect.Service<QueryUsers>()("services/analytics/QueryUsers", {
  effect: Effect.gen(function* () {
    const { open, heatmap } = yield* QueryAccess

    const ofInsight = Effect.fnUntraced(function* (
      where: Where,
      query: InsightUsersQuery,
      page: UnitPaging,
      values: boolean
    ) {
      const { asking, ask } = yield* open(where)
      const plan = yield* Either.mapLeft(planInsightUnits(query, { ...page, values }, asking), ({ kind, message }) =>
        kind === "formula" ? new FormulaInvalid({ message }) : queryFailure({ kind, message })
      )
      return (yield* complete(ask({ kind: "insightUnits", plan }))).answer
    })

    const ofFunnel = Effect.fnUntraced(function* (where: Where, query: FunnelUsersQuery, page: UnitPaging) {
      const { asking, ask } = yield* open(where)
      const plan = yield* checked(planFunnelUnits(query, page, asking))
      return (yield* complete(ask({ kind: "funnelUnits", plan }))).answer
    })

    const ofRetention = Effect.fnUntraced(function* (where: Where, query: RetentionUsersQuery, page: UnitPaging) {
      const { asking, ask } = yield* open(where)
      const plan = yield* checked(planRetentionUnits(query, page, asking))
      return (yield* complete(ask({ kind: "retentionUnits", plan }))).answer
    })

    /** The markers of a heatmap that a query selects, and what asks about them. */
    const inArea = Effect.fnUntraced(function* (where: Where, query: HeatmapUsersQuery) {
      const { asking, ask } = yield* open(where)
      const definition = yield* heatmap(where, query.heatmapData.id)
      return { ask, markers: { heatmap: yield* checked(planHeatmap(query, definition, asking)), ...query.select } }
    })

    const ofHeatmap = Effect.fnUntraced(function* (where: Where, query: HeatmapUsersQuery, page: UnitPaging) {
      const { ask, markers } = yield* inArea(where, query)
      return (yield* complete(ask({ kind: "heatmapUnits", plan: { ...markers, ...page } }))).answer
    })

    const insights = Effect.fnUntraced(function* (where: Where, query: InsightUsersQuery, paging: Paging) {
      return unitListPage(yield* ofInsight(where, query, pageOf(paging), true), paging.limit) satisfies QueryUserPage
    })

    const funnels = Effect.fnUntraced(function* (where: Where, query: FunnelUsersQuery, paging: Paging) {
      return funnelUnitPage(yield* ofFunnel(where, query, pageOf(paging)), paging.limit) satisfies FunnelUserPage
    })

    /** What the units behind a number of a funnel did next. */
    const next = Effect.fnUntraced(function* (where: Where, query: FunnelUsersQuery) {
      const { asking, ask } = yield* open(where)
      const units = yield* checked(planFunnelUnits(query, first(Number.MAX_SAFE_INTEGER), asking))
      const { answer } = yield* complete(ask({ kind: "funnelNext", plan: { units, types: mostTypes } }))
      const types = answer.types.map((type) => ({ name: type.name, players: type.units }))
      return { types, nothing: answer.nothing, total: answer.total } satisfies FunnelNext
    })

    const retention = Effect.fnUntraced(function* (where: Where, query: RetentionUsersQuery, paging: Paging) {
      return unitListPage(yield* ofRetention(where, query, pageOf(paging)), paging.limit) satisfies QueryUserPage
    })

    const heatmaps = Effect.fnUntraced(function* (where: Where, query: HeatmapUsersQuery, paging: Paging) {
      return unitListPage(yield* ofHeatmap(where, query, pageOf(paging)), paging.limit) satisfies QueryUserPage
    })

    /** What the markers in the area say in their arguments. */
    const heatmapArguments = Effect.fnUntraced(function* (where: Where, query: HeatmapUsersQuery) {
      const { ask, markers } = yield* inArea(where, query)
      const plan = { ...markers, names: mostArguments, values: mostValues }
      return (yield* complete(ask({ kind: "heatmapArguments", plan }))).answer satisfies HeatmapArguments
    })

    /** The ids of the units behind a number, at most `limit` of them. */
    const everybody = Effect.fnUntraced(function* (where: Where, number: NumberOfQuery, limit: number) {
      switch (number.queryType) {
        case "insight":
          return (yield* ofInsight(where, { ...number.spec, select: number.select }, first(limit), false)).units
        case "funnel":
          return yield* ofFunnel(where, { ...number.spec, ...number.select }, first(limit))
        case "retention":
          return (yield* ofRetention(where, { ...number.spec, select: number.select }, first(limit))).units
        case "heatmap":
          return (yield* ofHeatmap(where, { ...number.spec, select: number.select }, first(limit))).units
      }
    })

    return { insights, funnels, next, retention, heatmaps, heatmapArguments, everybody } as const
  })
}) {}
